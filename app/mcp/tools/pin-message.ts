import { z } from 'zod';
import { pinMessage as applyPin } from '../../messenger/writing/index.ts';
import { chatArgument, defineTool, messageIdArgument, resultOf } from '../tool.ts';
import { appliedOutput, appliedResult, formStatusOutput, requireMessageId, REVERSIBLE, told } from './write-support.ts';

/** Pins a message for everybody in the chat, or unpins. */
export const pinMessage = defineTool({
  name: 'pin_message',
  title: 'Pin or unpin a message',
  description: 'Pins a message in a chat, for everybody in it; without message_id unpins what is pinned. Happens at once.',
  effect: 'reversible',
  input: z.strictObject({ chat: chatArgument, message_id: messageIdArgument.optional().describe('Message to pin; without it the pinned message is unpinned') }),
  output: resultOf({ ...appliedOutput, message_id: z.string(), pinned: z.boolean(), form_status: formStatusOutput }),
  annotations: REVERSIBLE,
  async run(args, context) {
    const chat = await context.chat(args.chat);
    const messageId = args.message_id === undefined ? undefined : requireMessageId('message_id', args.message_id);
    const applied = await told(() => applyPin(context.services.messenger, { chatId: chat.chatId, messageId }, context));
    const base = { chat_id: chat.chatId, ...(messageId !== undefined && { message_id: messageId }), form_status: 'verified' };
    return appliedResult(applied, base, { pinned: messageId !== undefined });
  },
});
