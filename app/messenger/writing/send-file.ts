import { createHash, randomUUID } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { z } from 'zod';
import type { Call } from '../api.ts';
import { UploadError } from '../../wire/index.ts';
import { newMessage } from './client-messages.ts';
import { chunksOf, inspectFile, type FileContent } from './file-content.ts';
import { openForSending, type OpenFile } from './file-policy.ts';
import type { Pusher } from './push-once.ts';
import { lookForMessage, NEW_MESSAGE_WORDS } from './send-message.ts';
import { describeDraftChat, requireChat, requireChatForDraft, verifyWithin } from './verify.ts';
import { WritingRefusal, type CommitContext, type Operation, type Outcome, type PreparedDraft, type WritingDeps, type WritingDraft } from './types.ts';

/** An upload takes as long as the line is slow. */
const UPLOAD_BUDGET_MS = 30 * 60_000;
const WORDS = { ...NEW_MESSAGE_WORDS, what: 'The message with the file' };
/** The outgoing form was read in the web bundle, not seen live (protocol §6, B). */
const FORM = { form_status: 'documented' };

const payloadSchema = z.object({
  payloadId: z.string(),
  path: z.string(),
  name: z.string(),
  sizeBytes: z.number(),
  sha256: z.string(),
  kind: z.enum(['image', 'file']),
  width: z.number().optional(),
  height: z.number().optional(),
});
type Payload = z.infer<typeof payloadSchema>;

/** A file as it is on the disk now. */
export interface FileFacts extends FileContent {
  readonly realPath: string;
  readonly name: string;
  readonly sizeBytes: number;
}

/** Checks a file against the policy and reads it. @throws WritingRefusal `invalid_argument file_not_allowed file_missing file_too_large` */
export async function readFileFacts(deps: WritingDeps, path: string, signal: AbortSignal): Promise<FileFacts> {
  return withFile(deps, path, async ({ handle, realPath, name, sizeBytes }) => ({ realPath, name, sizeBytes, ...(await inspectFile(handle, signal)) }));
}

/** Fixes file and PayloadId. Not a byte leaves the machine. @throws WritingRefusal, WireErrors */
export async function prepareFile(deps: WritingDeps, chatId: string, file: FileFacts, call: Call): Promise<PreparedDraft> {
  await requireChatForDraft(deps, chatId, call);
  const { realPath, name, sizeBytes, sha256, kind, mime } = file;
  const dimensions = file.width !== undefined && file.height !== undefined ? { width: file.width, height: file.height } : {};
  const payload: Payload = { payloadId: randomUUID(), path: realPath, name, sizeBytes, sha256, kind, ...dimensions };
  return {
    chat: await describeDraftChat(deps, chatId, call),
    payload,
    payloadId: payload.payloadId,
    preview: { file: { path: realPath, name, sizeBytes, mime, kind, ...dimensions } },
  };
}

/** Uploads in three steps and sends the message that names the file (protocol §6, B). */
export function fileOperation(deps: WritingDeps, pusher: Pusher): Operation {
  const parse = (draft: WritingDraft) => payloadSchema.parse(draft.payload);
  return {
    tool: 'send_file',
    budgetMs: UPLOAD_BUDGET_MS,
    async verify(draft, context) {
      await verifyWithin(deps, context, (call) => requireChat(deps, draft.chat.id, call));
      const payload = parse(draft);
      await withFile(deps, payload.path, (file) => requireUnchanged(file, payload, context.signal));
    },
    async commit(draft, context) {
      const payload = parse(draft);
      // One handle from the check to the last byte: what is uploaded is what was checked.
      const uploaded = await withFile(deps, payload.path, async (file): Promise<{ fileId: string } | Outcome> => {
        await requireUnchanged(file, payload, context.signal);
        return upload(deps, draft, payload, file.handle, context);
      });
      if (!('fileId' in uploaded)) return uploaded;
      const { fileId } = uploaded;
      const variant = () => newMessage({ chatId: draft.chat.id, payloadId: payload.payloadId, file: { ...payload, fileId } });
      return pusher.commit({ variant, words: WORDS, look: lookForMessage(deps, draft, payload.payloadId), extra: { ...FORM, file_id: fileId } }, context);
    },
    reconcile(draft, context) {
      const look = lookForMessage(deps, draft, parse(draft).payloadId);
      return pusher.reconcile({ words: WORDS, look, extra: FORM }, context);
    },
  };
}

/** Uploads the open file and checks that the bytes that left are those that were confirmed. */
async function upload(
  deps: WritingDeps,
  draft: WritingDraft,
  payload: Payload,
  handle: FileHandle,
  context: CommitContext,
): Promise<{ fileId: string } | Outcome> {
  const hash = createHash('sha256');
  async function* bytes(): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunksOf(handle, context.signal)) {
      hash.update(chunk);
      yield chunk;
    }
  }
  try {
    const file = { chatId: draft.chat.id, name: payload.name, sizeBytes: payload.sizeBytes, open: bytes };
    const onProgress = (sentBytes: number) => context.onProgress?.(sentBytes, payload.sizeBytes);
    const uploaded = await deps.ports.wire.upload(file, { signal: context.signal, onProgress });
    if (hash.digest('hex') !== payload.sha256) throw changed();
    return uploaded;
  } catch (error) {
    if (error instanceof UploadError) return uploadFailure(error);
    throw error;
  }
}

/** Quota and size are two different things to a person (protocol §6). Nobody sees an upload that no message names. */
function uploadFailure(error: UploadError): Outcome {
  const data = { http_status: error.httpStatus };
  switch (error.code) {
    case 'upload_quota':
      return {
        status: 'failed',
        code: 'upload_quota',
        message: "Nothing was sent: the person's Yandex Disk has no room for the file, or refuses it.",
        nextStep: 'Ask the person to make room on Yandex Disk, then make a new draft.',
        data,
      };
    case 'upload_too_large':
      return {
        status: 'failed',
        code: 'upload_too_large',
        message: 'Nothing was sent: Yandex refuses a file of this size.',
        nextStep: 'Send a smaller file.',
        data,
      };
    case 'upload_failed':
      return {
        status: 'failed',
        code: 'server_error',
        message: 'Nothing was sent: Yandex did not take the file.',
        nextStep: 'Make a new draft in a while.',
        data,
      };
  }
}

async function withFile<T>(deps: WritingDeps, path: string, work: (file: OpenFile) => Promise<T>): Promise<T> {
  const { allowedFolders, maxFileBytes } = deps.ports.settings();
  const file = await openForSending(path, { allowedFolders, maxFileBytes });
  try {
    return await work(file);
  } finally {
    await file.handle.close();
  }
}

async function requireUnchanged(file: OpenFile, payload: Payload, signal: AbortSignal): Promise<void> {
  if (file.realPath !== payload.path || file.sizeBytes !== payload.sizeBytes) throw changed();
  const { sha256 } = await inspectFile(file.handle, signal);
  if (sha256 !== payload.sha256) throw changed();
}

function changed(): WritingRefusal {
  return new WritingRefusal(
    'file_changed',
    'The file is not what it was when the draft was made. Nothing was sent.',
    'Make a new draft of the file as it is now.',
  );
}
