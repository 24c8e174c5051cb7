import { z } from 'zod';
import { OFFERED_REACTIONS } from '../../messenger/reactions.ts';
import { requireKnownReaction, setReaction as applyReaction } from '../../messenger/writing/index.ts';
import { chatArgument, defineTool, messageIdArgument, resultOf, ToolError } from '../tool.ts';
import { appliedOutput, appliedResult, requireMessageId, REVERSIBLE, told } from './write-support.ts';

/** Sets or removes a reaction of the person's. */
export const setReaction = defineTool({
  name: 'set_reaction',
  title: 'Set a reaction',
  description: 'Sets a reaction of the person on a message, or removes it with remove:true. Happens at once; the same tool takes it back.',
  effect: 'reversible',
  input: z.strictObject({
    chat: chatArgument,
    message_id: messageIdArgument,
    type: z
      .number()
      .int()
      .describe(
        'Integer id of the reaction, not an emoji: ' +
          OFFERED_REACTIONS.map(({ type, emoji }) => `${type} ${emoji}`).join(', ') +
          ', or another that the `reactions` of a message show; unknown types are refused',
      ),
    remove: z.boolean().default(false).describe('true: take the reaction back'),
  }),
  output: resultOf({
    ...appliedOutput,
    message_id: z.string(),
    type: z.number(),
    name: z.string(),
    emoji: z.string().describe('Approximation of the artwork'),
    removed: z.boolean(),
  }),
  annotations: REVERSIBLE,
  async run(args, context) {
    const { type, name, emoji } = knownReactionOf(args.type);
    const chat = await context.chat(args.chat);
    const messageId = requireMessageId('message_id', args.message_id);
    const input = { chatId: chat.chatId, messageId, type, isRemoval: args.remove };
    const applied = await told(() => applyReaction(context.services.messenger, input, context));
    return appliedResult(applied, { chat_id: chat.chatId, message_id: messageId, type, name, emoji }, { removed: args.remove });
  },
});

/** The seed tells an unknown type by `status`, the design by `code`; the answer carries both. */
function knownReactionOf(type: number) {
  try {
    return requireKnownReaction(type);
  } catch (error) {
    const refusal = error as { code: string; message: string; nextStep: string };
    throw new ToolError(refusal.code, refusal.message, refusal.nextStep, { status: refusal.code });
  }
}
