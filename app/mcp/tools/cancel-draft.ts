import { z } from 'zod';
import { defineTool, resultOf } from '../tool.ts';
import { draftIdArgument, visibleDraft } from './draft-views.ts';

/** Takes a waiting draft back. */
export const cancelDraft = defineTool({
  name: 'cancel_draft',
  title: 'Cancel a draft',
  description: 'Takes back a draft that still waits for the person. Nothing was and nothing will be sent. A draft that was decided cannot be cancelled.',
  effect: 'local',
  input: z.strictObject({ draft_id: draftIdArgument }),
  output: resultOf({ draft_id: z.string(), tool: z.string(), chat_id: z.string() }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  async run(args, { services }) {
    const draft = services.approvals.reject(visibleDraft(services, args.draft_id).id, undefined, 'agent');
    return { status: 'cancelled', draft_id: draft.id, tool: draft.tool, chat_id: draft.chat.id, message: 'The draft was taken back. Nothing was sent.' };
  },
});
