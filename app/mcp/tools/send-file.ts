import { z } from 'zod';
import { ConfirmRefusedError, FINAL_STATUSES, type Draft } from '../../approvals/index.ts';
import { prepareFile, readFileFacts } from '../../messenger/writing/index.ts';
import { describeOutcome } from '../draft-results.ts';
import { chatArgument, ToolError, type Tool, type ToolContext, type ToolResult } from '../tool.ts';
import { defineProposal, formStatusOutput } from './write-support.ts';

const proposal = defineProposal({
  name: 'send_file',
  title: 'Send a file',
  description:
    'Sends an image or a file from this computer, out of the folders the person allows (Downloads, Documents, Desktop, Pictures by default). Its content decides whether it is an image.',
  input: z.strictObject({ chat: chatArgument, path: z.string().min(1).max(4096).describe('Absolute path of the file') }),
  output: {
    path: z.string().describe('Real path, links resolved'),
    name: z.string(),
    size: z.number().describe('Bytes'),
    mime: z.string(),
    kind: z.enum(['image', 'file']),
    width: z.number(),
    height: z.number(),
    sha256: z.string(),
    file_id: z.string().describe('For download_attachment, once sent'),
    form_status: formStatusOutput,
    max_size: z.number(),
    http_status: z.number(),
  },
  async canonicalise(args, context) {
    const chat = await context.chat(args.chat);
    const file = await readFileFacts(context.services.messenger, args.path, context.signal);
    return { chatId: chat.chatId, fields: { path: file.realPath, sha256: file.sha256, size: file.sizeBytes }, file };
  },
  async prepare(_args, { chatId, file }, context) {
    const { realPath: path, name, sizeBytes: size, mime, kind, width, height, sha256 } = file;
    const dimensions = { ...(width !== undefined && { width }), ...(height !== undefined && { height }) };
    const draft = await prepareFile(context.services.messenger, chatId, file, context);
    return { ...draft, echo: { path, name, size, mime, kind, ...dimensions, sha256, form_status: 'documented' } };
  },
});

/** Sends a file. A confirm call is told whether it is the file that changed, not the arguments. */
export const sendFile: Tool = {
  ...proposal,
  async run(args, context) {
    try {
      return await proposal.run(args, context);
    } catch (error) {
      const outcome = await explain(error, args as { confirm?: boolean; confirm_token?: string; path: string }, context);
      if (outcome) return outcome;
      throw error;
    }
  },
};

/**
 * A draft that is over tells its outcome even where the file has gone since; a draft that waits names the file as what changed
 * when path and chat are still the same (design §3).
 */
async function explain(
  error: unknown,
  args: { confirm?: boolean; confirm_token?: string; path: string },
  context: ToolContext,
): Promise<ToolResult | undefined> {
  if (!args.confirm) return undefined;
  const { approvals } = context.services;
  const isFileError = error instanceof ToolError && error.code.startsWith('file_');
  const isChange = error instanceof ConfirmRefusedError && error.code === 'args_changed';
  if (!isFileError && !isChange) return undefined;
  const draft: Draft = approvals.requireToken(args.confirm_token, 'send_file');
  const isSamePath = draft.preview.file?.path === args.path || (await realPathOf(args.path, context)) === draft.preview.file?.path;
  if (FINAL_STATUSES.has(draft.status) && (isFileError || isSamePath)) return describeOutcome(draft, context.services.timeZone());
  if (!isChange || !isSamePath) return undefined;
  throw new ToolError('file_changed', 'The file is not what it was when the draft was made. Nothing was sent.', 'Make a new draft of the file as it is now.');
}

async function realPathOf(path: string, context: ToolContext): Promise<string | undefined> {
  return (await readFileFacts(context.services.messenger, path, context.signal).catch(() => undefined))?.realPath;
}
