import type { Tool } from '../tool.ts';
import { cancelDraft } from './cancel-draft.ts';
import { createPoll } from './create-poll.ts';
import { deleteMessage } from './delete-message.ts';
import { editMessage } from './edit-message.ts';
import { forwardMessage } from './forward-message.ts';
import { getDraft } from './get-draft.ts';
import { joinToThread } from './join-to-thread.ts';
import { leaveThread } from './leave-thread.ts';
import { listDrafts } from './list-drafts.ts';
import { markRead } from './mark-read.ts';
import { pinMessage } from './pin-message.ts';
import { sendFile } from './send-file.ts';
import { sendMessage } from './send-message.ts';
import { setReaction } from './set-reaction.ts';
import { voteInPoll } from './vote-in-poll.ts';

/** Tools that write: in two steps where it cannot be undone, in one where it can, and those that look after drafts. */
export const writeTools: Tool[] = [
  sendMessage,
  sendFile,
  editMessage,
  deleteMessage,
  forwardMessage,
  createPoll,
  voteInPoll,
  setReaction,
  markRead,
  pinMessage,
  joinToThread,
  leaveThread,
  listDrafts,
  getDraft,
  cancelDraft,
];
