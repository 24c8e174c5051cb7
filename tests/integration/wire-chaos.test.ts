import { expect, it } from 'vitest';
import type { FaultAction } from '../simulator/index.ts';
import { budget, startBench, text } from './wire-harness.ts';

const PUSH_FAULTS: readonly FaultAction[] = [
  { kind: 'drop', commit: true },
  { kind: 'drop', commit: false },
  { kind: 'close', code: 1001, reason: 'going away', commit: true },
  { kind: 'proxy_status', status: 2 },
  { kind: 'proxy_status', status: 3, commit: true },
  { kind: 'status', status: 3, commit: false },
  { kind: 'no_status', commit: true },
  { kind: 'delay', ms: 60 },
];
const READ_FAULTS: readonly FaultAction[] = [{ kind: 'drop' }, { kind: 'proxy_status', status: 6 }, { kind: 'status', status: 5 }, { kind: 'delay', ms: 80 }];

it('whatever goes wrong, no push goes twice and every outcome is true', async () => {
  const { sim, wire, session, selfChat } = await startBench();
  session.renewsFor(sim);
  for (const action of PUSH_FAULTS) sim.faults.add({ channel: 'push', action, times: 1000, probability: 0.07 });
  for (const action of READ_FAULTS) sim.faults.add({ channel: 'read', action, times: 1000, probability: 0.04 });
  sim.faults.add({ channel: 'handshake', action: { kind: 'http', status: 502 }, times: 1000, probability: 0.15 });
  sim.faults.add({ channel: 'registry', action: { kind: 'http', status: 503 }, times: 1000, probability: 0.05 });
  // Only a session in use expires: one that is void before it was ever used is, rightly, taken for a sign-out, and then nothing goes any more.
  const expiry = setInterval(() => wire.state === 'online' && sim.expireSession(), 600);

  const texts = Array.from({ length: 60 }, (_, index) => `message ${index}`);
  const reads = Promise.all(
    texts.map((_, index) =>
      wire.read('whoami', {}, budget(index < 2 ? 50 : 40_000)).then(
        () => 'ok',
        (error: { code?: string }) => error.code,
      ),
    ),
  );
  const results = await Promise.all(texts.map(async (messageText) => ({ messageText, result: await wire.push(text(selfChat, messageText), budget(40_000)) })));
  const readResults = await reads;
  clearInterval(expiry);

  const written = sim.messagesIn(selfChat).map((message) => (message.body['Text'] as { MessageText: string }).MessageText);
  const pushed = sim.pushes.map((push) => (push.clientMessage['Plain'] as { Text: { MessageText: string } }).Text.MessageText);
  expect(new Set(pushed).size).toBe(pushed.length);
  for (const { messageText, result } of results) {
    if (result.kind === 'committed') expect(written, messageText).toContain(messageText);
    else if (result.kind !== 'unknown') expect(written, `${messageText} ${JSON.stringify(result)}`).not.toContain(messageText);
  }
  // What became of them, for the text of a failure.
  const told = JSON.stringify(
    countBy([
      ...results.map(({ result }) => ('reason' in result ? `push ${result.kind} ${result.reason}` : `push ${result.kind}`)),
      ...readResults.map((result) => `read ${result}`),
    ]),
  );
  expect(results.filter(({ result }) => result.kind === 'committed').length, told).toBeGreaterThan(5);
  expect(readResults.filter((result) => result === 'ok').length, told).toBeGreaterThan(30);
});

function countBy(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
