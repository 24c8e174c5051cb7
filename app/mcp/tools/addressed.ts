/** Tools that speak of one message: which one, and what is said when there is none. */
import type { ResolvedChat } from '../../messenger/api.ts';
import { DomainResult, ToolError, type ToolContext } from '../tool.ts';

/** Description of `message_id` where a link may stand for both. */
export const MESSAGE_OR_LINK = 'Message id: its timestamp in microseconds, 16 digits, as a string; may be left out when `chat` is the link of a message';

export interface Addressed {
  readonly chat: ResolvedChat;
  readonly messageId: string;
}

/**
 * The message that `chat` + `message_id` or a link names.
 * @throws ToolError `invalid_argument` when no message is named; DomainResult for a chat that cannot be resolved
 */
export async function addressed(
  args: { chat?: string | undefined; message_id?: string | undefined; url?: string | undefined },
  context: ToolContext,
): Promise<Addressed> {
  const place = args.url ?? args.chat;
  if (place === undefined) {
    throw new ToolError('invalid_argument', '`chat` with `message_id`, or a link to the message, is needed.', 'Pass `chat` and `message_id`, or `url`.');
  }
  const chat = await context.chat(place);
  const messageId = args.message_id ?? chat.messageId;
  if (messageId === undefined) {
    const argument = args.url !== undefined ? 'url' : 'message_id';
    const problem = args.url !== undefined ? 'leads to a chat and not to a message' : 'is missing';
    throw new ToolError('invalid_argument', `\`${argument}\` ${problem}.`, 'Pass `chat` and `message_id` (16 digits, as a string), or the link of a message.');
  }
  return { chat, messageId };
}

/** The domain outcome for a message that is not in its chat. */
export function messageNotFound(chatId: string, messageId: string): DomainResult {
  return new DomainResult({
    status: 'message_not_found',
    chat_id: chatId,
    message_id: messageId,
    message: 'There is no message with this id in this chat.',
    next_step: 'Take message ids from get_history or search of the same chat.',
  });
}
