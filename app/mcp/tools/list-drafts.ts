import { z } from 'zod';
import { defineTool, resultOf } from '../tool.ts';
import { draftLine, draftOutput, visibleDrafts } from './draft-views.ts';

const STATUSES = ['pending', 'committing', 'sent', 'failed', 'unknown', 'rejected', 'expired'] as const;

/** Lists drafts, newest first, without their tokens. */
export const listDrafts = defineTool({
  name: 'list_drafts',
  title: 'List drafts',
  description:
    "Lists drafts of irreversible actions, newest first: those that wait for the person and those that were decided lately, of all the person's agents.",
  effect: 'local',
  input: z.strictObject({
    status: z.enum(STATUSES).optional().describe('Only drafts in this state; without it all'),
    limit: z.number().int().min(1).max(200).default(50).describe('How many at most'),
  }),
  output: resultOf({
    drafts: z.array(z.looseObject({ ...draftOutput, status: z.enum(STATUSES), text: z.string().optional(), text_truncated: z.boolean().optional() })),
    total: z.number().describe('How many there are in all'),
    truncated: z.boolean().describe('There are more than `limit`'),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  async run({ status, limit }, { services }) {
    const drafts = visibleDrafts(services).filter((draft) => status === undefined || draft.status === status);
    return {
      status: 'ok',
      drafts: drafts.slice(0, limit).map((draft) => draftLine(draft, services.timeZone())),
      total: drafts.length,
      ...(drafts.length > limit && { truncated: true, truncation_reason: `limit ${limit}` }),
    };
  },
});
