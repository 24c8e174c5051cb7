import { z } from 'zod';
import { markRead as applyMark } from '../../messenger/writing/index.ts';
import { chatArgument, defineTool, invalidArgument, messageIdArgument, resultOf } from '../tool.ts';
import { appliedOutput, appliedResult, formStatusOutput, requireMessageId, REVERSIBLE, told } from './write-support.ts';

/** Marks a chat as read. */
export const markRead = defineTool({
  name: 'mark_read',
  title: 'Mark as read',
  description: 'Marks a chat as read up to a message, or up to its newest one. Others may see that the person has read it.',
  effect: 'reversible',
  input: z.strictObject({
    chat: chatArgument,
    message_id: messageIdArgument.optional().describe('Mark read up to this message; without it up to the newest'),
    seqno: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER).optional().describe('seq_no of that message, if known; only with message_id'),
  }),
  output: resultOf({ ...appliedOutput, message_id: z.string(), form_status: formStatusOutput }),
  annotations: REVERSIBLE,
  async run(args, context) {
    if (args.seqno !== undefined && args.message_id === undefined) throw invalidArgument('seqno', 'needs the message_id it belongs to.');
    const chat = await context.chat(args.chat);
    const messageId = args.message_id === undefined ? undefined : requireMessageId('message_id', args.message_id);
    const marked = await told(() => applyMark(context.services.messenger, { chatId: chat.chatId, messageId, seqNo: args.seqno }, context));
    if (marked.messageId === undefined) return { status: 'ok', chat_id: chat.chatId, message: 'The chat has no messages; there was nothing to mark.' };
    return appliedResult(marked.applied, { chat_id: chat.chatId, message_id: marked.messageId, form_status: 'verified' }, {});
  },
});
