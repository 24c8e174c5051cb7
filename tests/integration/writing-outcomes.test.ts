import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSimulator, World, type Chat, type FaultAction, type Simulator } from '../simulator/index.ts';
import { startCore, type CoreFlags, type RunningCore } from './support.ts';
import { ts } from './writing-support.ts';

/** What a push came to is told as what it is, also when the app died in the middle of it. */

interface Bench {
  readonly core: RunningCore;
  readonly sim: Simulator;
  readonly group: Chat;
}

async function start(flags: CoreFlags): Promise<Bench> {
  const world = new World();
  const group = world.group({ name: 'Чат', members: [world.person({ displayName: 'Анна' })] });
  group.say(world.me, 'начало');
  const sim = await startSimulator({ world });
  return { core: await startCore({ sim, flags }), sim, group };
}

const writes = (group: Chat) => group.messages.length;

describe('each answer of the server', () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await start({ policy: 'agent' });
  });
  afterAll(async () => {
    await bench.core.close();
    await bench.sim.stop();
  });

  it.each<[what: string, fault: FaultAction, isError: boolean, expected: object, written: number]>([
    [
      'a duplicate is a success',
      { kind: 'status', status: 8, commit: false },
      false,
      { status: 'sent', commit_status: 8, commit_status_name: 'DUPLICATE', duplicate: true },
      0,
    ],
    [
      'throttled',
      { kind: 'status', status: 18 },
      true,
      { status: 'failed', code: 'rate_limited', commit_status: 18, message: expect.stringContaining('THROTTLED') },
      0,
    ],
    [
      'over the rate limit',
      { kind: 'status', status: 23, waitFor: 2000 },
      true,
      { status: 'failed', code: 'rate_limited', commit_status: 23, next_step: expect.stringContaining('2 s') },
      0,
    ],
    ['spam', { kind: 'status', status: 22 }, true, { status: 'failed', code: 'server_error', commit_status_name: 'SPAM_DETECTED' }, 0],
    ['a malformed request', { kind: 'proxy_status', status: 2 }, true, { status: 'failed', code: 'server_error', proxy_status_name: 'BACKEND_CALL_ERROR' }, 0],
    [
      'no status, and nothing written',
      { kind: 'no_status', commit: false },
      false,
      { status: 'unknown', message: expect.stringContaining('may or may not have been applied'), next_step: expect.stringContaining('get_history') },
      0,
    ],
    ['no status, but written', { kind: 'no_status', commit: true }, false, { status: 'sent', found_by_reading: true }, 1],
    ['half committed, and written', { kind: 'status', status: 9, commit: true }, false, { status: 'sent', found_by_reading: true }, 1],
    ['half committed, and not written', { kind: 'status', status: 2, commit: false }, false, { status: 'unknown' }, 0],
    ['a status nobody knows, and written', { kind: 'status', status: 26, commit: true }, false, { status: 'sent', found_by_reading: true }, 1],
    [
      'a status nobody knows, and not written',
      { kind: 'status', status: 26, commit: false },
      false,
      { status: 'unknown', message: expect.stringContaining('26') },
      0,
    ],
    ['too many requests for the gateway', { kind: 'proxy_status', status: 7 }, false, { status: 'unknown', message: expect.stringContaining('gateway') }, 0],
    ['lost before the commit', { kind: 'drop', commit: false }, false, { status: 'unknown' }, 0],
    [
      'lost after the commit',
      { kind: 'drop', commit: true },
      false,
      { status: 'sent', found_by_reading: true, message_info: { timestamp_mcs: expect.stringMatching(/^\d{16}$/) } },
      1,
    ],
  ])('%s', async (_what, fault, isError, expected, written) => {
    const { core, sim, group } = bench;
    const before = { written: writes(group), pushed: sim.pushesOf().length };
    const args = { chat: group.id, text: 'проверка' };
    const draft = await core.call('send_message', args);
    sim.faults.nextPush(fault);
    const confirm = { ...args, confirm: true, confirm_token: draft['confirm_token'] };
    const outcome = isError ? await core.fail('send_message', confirm) : await core.call('send_message', confirm);
    expect(outcome).toMatchObject(expected);
    expect(writes(group) - before.written).toBe(written);
    const again = isError ? await core.fail('send_message', confirm) : await core.call('send_message', confirm);
    expect(again).toMatchObject({ status: outcome['status'] });
    expect(sim.pushesOf().length - before.pushed).toBe(1);
  });

  it('a message that shows up late is found when asked again', async () => {
    const { core, sim, group } = bench;
    const pushed = sim.pushesOf().length;
    const args = { chat: group.id, text: 'опоздавшее' };
    const draft = await core.call('send_message', args);
    sim.faults.dropBeforeCommit();
    const confirm = { ...args, confirm: true, confirm_token: draft['confirm_token'] };
    expect(await core.call('send_message', confirm)).toMatchObject({ status: 'unknown' });
    const { payload_id: payloadId } = (await core.person({ op: 'list' }))['drafts'].find((each: { id: string }) => each.id === draft['draft_id']);
    group.say(sim.me, 'опоздавшее', { payloadId });
    for (let more = 0; more < 150; more++) group.say(sim.me, `ещё ${more}`);
    expect(await core.call('send_message', confirm)).toMatchObject({ status: 'sent', found_by_reading: true });
    expect(sim.pushesOf().length - pushed).toBe(1);
  });
});

describe('an app that dies in the middle of a push', () => {
  it.concurrent.each([
    ['was written', true, 'sent'],
    ['was not written', false, 'unknown'],
  ])('finds out by reading whether it %s, and never pushes again', async (_what, commit, expected) => {
    const { core, sim, group } = await start({});
    const [mine] = [group.say(sim.me, 'моё')];
    const message = { chat: group.id, text: 'последние слова' };
    const edit = { chat: group.id, message_id: ts(mine), new_text: 'моё!' };
    const drafts = [await core.call('send_message', message), await core.call('edit_message', edit)];
    sim.faults.nextPush({ kind: 'silence', commit }, 2);
    void core.person({ op: 'confirm', id: drafts[0]!['draft_id'] });
    await sim.waitFor(() => sim.pushesOf().length === 1);
    core.kill();
    const second = await startCore({ sim, flags: { data: core.dataFolder } });
    const confirm = (tool: string, args: object, draft: Record<string, unknown>) =>
      second.call(tool, { ...args, confirm: true, confirm_token: draft['confirm_token'] });
    expect(await confirm('send_message', message, drafts[0]!)).toMatchObject({ status: expected });
    // The other draft only waited: it still does, and its token is good.
    expect(await second.call('list_drafts', { status: 'pending' })).toMatchObject({ total: 1 });
    void second.person({ op: 'confirm', id: drafts[1]!['draft_id'] });
    await sim.waitFor(() => sim.pushesOf().length === 2);
    second.kill();
    const third = await startCore({ sim, flags: { data: core.dataFolder } });
    expect(await third.call('edit_message', { ...edit, confirm: true, confirm_token: drafts[1]!['confirm_token'] })).toMatchObject({ status: expected });
    expect(sim.pushesOf()).toHaveLength(2);
    for (const each of [third, second, core]) await each.close(); // the data folder is the first one's
    await sim.stop();
  });
});

it('fifty drafts at once are fine, and what is confirmed goes out one by one, at the pace the server asks for', async () => {
  const { core, sim, group } = await start({});
  const texts = Array.from({ length: 50 }, (_, index) => `сообщение ${index}`);
  const drafts = await Promise.all(texts.map((text) => core.call('send_message', { chat: group.id, text })));
  expect(new Set(drafts.map((draft) => draft['confirm_token'])).size).toBe(50);
  sim.faults.add({ channel: 'push', action: { kind: 'status', status: 1, waitFor: 1200 }, skip: 9 });
  const outcomes = await Promise.all(drafts.map((draft) => core.person({ op: 'confirm', id: draft['draft_id'] })));
  expect(outcomes.map((outcome) => outcome['status'])).toEqual(texts.map(() => 'sent'));
  const sent = group.messages.slice(1).map((message) => (message.body['Text'] as { MessageText: string }).MessageText);
  expect(new Set(sent)).toEqual(new Set(texts));
  const times = sim.pushesOf('Plain').map((push) => push.at);
  expect(times).toHaveLength(50);
  expect(times[10]! - times[9]!).toBeGreaterThanOrEqual(1000);
  await core.close();
  await sim.stop();
});
