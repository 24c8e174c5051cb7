import { expect } from 'vitest';
import type { Answer, RunningCore } from './support.ts';

/** What tests of writing share: the two steps, and what stood on the wire. */

/** ClientMessages that were pushed since the last look, without LogData; presence and typing left out. */
export function wireWatch(core: RunningCore): () => Record<string, unknown>[] {
  let seen = 0;
  return () => {
    const pushes = core.sim.pushesOf();
    const fresh = pushes.slice(seen);
    seen = pushes.length;
    return fresh.map(({ clientMessage }) => Object.fromEntries(Object.entries(clientMessage).filter(([key]) => key !== 'LogData')));
  };
}

/** Drafts, makes sure that nothing left the machine, confirms with the same arguments. */
export async function draftAndConfirm(core: RunningCore, tool: string, args: Record<string, unknown>): Promise<{ draft: Answer; outcome: Answer }> {
  const before = { pushes: core.sim.pushes.length, uploads: core.sim.requests('upload_to_disk').length };
  const draft = await core.call(tool, args);
  expect(draft).toMatchObject({
    status: 'draft',
    confirm_token: expect.any(String),
    draft_id: expect.any(String),
    next_step: expect.stringContaining('Nothing has been sent'),
  });
  expect({ pushes: core.sim.pushes.length, uploads: core.sim.requests('upload_to_disk').length }).toEqual(before);
  return { draft, outcome: await core.call(tool, { ...args, confirm: true, confirm_token: draft['confirm_token'] }) };
}

/** The pair of a draft call's arguments and its token, for a confirm call with other arguments. */
export async function confirmWith(core: RunningCore, tool: string, draft: Answer, args: Record<string, unknown>): Promise<Answer> {
  return core.fail(tool, { ...args, confirm: true, confirm_token: draft['confirm_token'] });
}

export const ts = (message: { ts: number }): string => String(message.ts);
