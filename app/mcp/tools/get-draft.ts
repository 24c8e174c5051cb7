import { z } from 'zod';
import { defineTool, resultOf } from '../tool.ts';
import { draftDetails, draftIdArgument, draftOutput, visibleDraft } from './draft-views.ts';

/** Shows one draft with what became of it. */
export const getDraft = defineTool({
  name: 'get_draft',
  title: 'Get a draft',
  description: 'Shows one draft: where it goes, what it holds, its state and outcome. `draft.status` is the state of the draft.',
  effect: 'local',
  input: z.strictObject({ draft_id: draftIdArgument }),
  output: resultOf({
    draft: z.looseObject({ ...draftOutput, status: z.string(), outcome: z.looseObject({ status: z.string() }).optional() }),
  }),
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  async run(args, { services }) {
    return { status: 'ok', draft: draftDetails(visibleDraft(services, args.draft_id), services.timeZone()) };
  },
});
