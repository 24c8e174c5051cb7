/** Writing: what an agent may propose (two steps, as operations) or do at once (one call). Others import from here alone. */
import { pollOperation } from './create-poll.ts';
import { deleteOperation } from './delete-message.ts';
import { editOperation } from './edit-message.ts';
import { Pusher } from './push-once.ts';
import { fileOperation } from './send-file.ts';
import { messageOperation } from './send-message.ts';
import type { Operation, WritingDeps } from './types.ts';
import { voteOperation } from './vote.ts';

/** Every irreversible action, for the approvals. Make them once per app: they share one queue. */
export function createOperations(deps: WritingDeps): Operation[] {
  const pusher = new Pusher(deps);
  return [
    messageOperation(deps, pusher, 'send_message'),
    messageOperation(deps, pusher, 'forward_message'),
    fileOperation(deps, pusher),
    editOperation(deps, pusher),
    deleteOperation(deps, pusher),
    voteOperation(deps, pusher),
    pollOperation(deps, pusher),
  ];
}

export { preparePoll } from './create-poll.ts';
export { prepareDeletion } from './delete-message.ts';
export { prepareEdit } from './edit-message.ts';
export { resolveMentions, type MentionedText, type MentionQuery } from './mention-resolver.ts';
export { readableText } from './mentions.ts';
export { changeThreadMembership, markRead, pinMessage, requireKnownReaction, setReaction, type Applied } from './reversible.ts';
export { prepareFile, readFileFacts, type FileFacts } from './send-file.ts';
export { prepareMessage } from './send-message.ts';
export { MAX_TEXT_LENGTH } from './text.ts';
export { WritingRefusal } from './types.ts';
export type { Operation, WritingDeps } from './types.ts';
export { canonicalChoices, prepareVote } from './vote.ts';
