import { z } from 'zod';
import type { ChatKind } from '../messenger/api.ts';

/** How a list of chats tells kinds: `kind` knows the seed's two values, so that ours is a drop-in; what is finer stands beside it. */
export function chatKindKeys(kind: ChatKind): { kind: 'private' | 'group'; chat_type?: ChatKind } {
  if (kind === 'private' || kind === 'group') return { kind };
  return { kind: kind === 'self' ? 'private' : 'group', chat_type: kind };
}

export const chatKindOutput = {
  kind: z.enum(['private', 'group']),
  chat_type: z
    .enum(['self', 'channel', 'business', 'thread', 'unknown'])
    .optional()
    .describe('What it is more exactly: self (the notes chat, a private one), or a channel, business chat or thread (told as group)'),
} satisfies z.ZodRawShape;
