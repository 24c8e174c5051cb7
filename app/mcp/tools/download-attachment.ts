import { z } from 'zod';
import { DOWNLOAD_SIZES } from '../../messenger/reading/downloads.ts';
import { NO_SUCH_CHAT } from '../../messenger/reading/resolve.ts';
import { defineTool, DomainResult, invalidArgument, resultOf } from '../tool.ts';

export const downloadAttachment = defineTool({
  name: 'download_attachment',
  title: 'Download an attachment',
  description:
    "Saves an attachment into Vestnik's downloads folder and tells its path. Nothing is overwritten: a repeated call puts a numbered copy beside the first. " +
    'Old downloads are removed after the time the person set. Progress is reported in bytes when the client asks for it.',
  effect: 'read',
  input: z.strictObject({
    file_id: z.string().min(1).max(500).describe('file_id of an attachment in a message'),
    chat_id: z.string().max(2000).optional().describe('Where it was found; for context only, it is not part of the request'),
    size: z.enum(DOWNLOAD_SIZES).optional().describe('A preview, for images; without it the original'),
  }),
  output: resultOf({
    path: z.string().describe('Absolute path of the saved file'),
    bytes: z.number(),
    content_type: z.string().nullable().describe('As the server told; null when it did not'),
    name: z.string().describe('Name on the disk, made safe'),
    file_id: z.string(),
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  async run(args, context) {
    const { downloads, base } = context.services.messenger;
    if (args.chat_id !== undefined && base.isHidden(args.chat_id)) throw new DomainResult({ ...NO_SUCH_CHAT });
    if (args.file_id.split('/').some((segment) => segment === '' || segment === '.' || segment === '..')) {
      throw invalidArgument('file_id', 'is not a file id: take it from the attachments of a message, as it is.');
    }
    const file = await downloads.fetch({ fileId: args.file_id, ...(args.size !== undefined && { size: args.size }) }, context);
    return { status: 'ok', path: file.path, bytes: file.bytes, content_type: file.contentType ?? null, name: file.name, file_id: args.file_id };
  },
});
