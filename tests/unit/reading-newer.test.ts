import { describe, expect, it } from 'vitest';
import { readNewer } from '../../app/messenger/reading/newer.ts';
import type { JsonObject } from '../../app/messenger/api.ts';

/** A server that plays the open questions of the protocol both ways. */
function server(ids: readonly number[], isExclusive: boolean, end: 'oldest' | 'newest', withPrev = true) {
  let requests = 0;
  const read = (params: JsonObject): Promise<JsonObject[]> => {
    requests += 1;
    const { Limit: limit, MinTimestamp: low, MaxTimestamp: high } = params as { Limit: number; MinTimestamp: number; MaxTimestamp?: number };
    const within = ids.filter((id) => (isExclusive ? id > low : id >= low) && (high === undefined || id < high));
    const page = end === 'oldest' ? within.slice(0, limit) : within.slice(-limit);
    return Promise.resolve(
      page.map((id) => {
        const index = ids.indexOf(id);
        return { ServerMessageInfo: { Timestamp: id, SeqNo: index + 1, ...(withPrev && { PrevTimestamp: index === 0 ? 0 : ids[index - 1]! }) } };
      }),
    );
  };
  return { read, requests: () => requests };
}

const START = 1_780_000_000_000_000;
const even = Array.from({ length: 3000 }, (_, index) => START + index * 61_000_000);
// Days of silence, then hundreds of messages within a second.
const bursts = Array.from({ length: 1500 }, (_, index) => START + Math.floor(index / 500) * 86_400_000_000 * 90 + (index % 500) * 1001);

describe.each([
  [true, 'oldest'],
  [true, 'newest'],
  [false, 'oldest'],
  [false, 'newest'],
] as const)('the messages after one (MinTimestamp exclusive: %s, a limited window shows its %s end)', (isExclusive, end) => {
  it.each([
    ['even', even],
    ['bursts', bursts],
  ] as const)('are exactly the next ones: %s', async (_name, ids) => {
    for (const at of [0, 1, 499, 500, 777, ids.length - 3, ids.length - 1]) {
      for (const count of [1, 7, 50, 200]) {
        for (const withPrev of [true, false]) {
          const sim = server(ids, isExclusive, end, withPrev);
          const found = await readNewer(sim.read, String(ids[at]), count);
          expect(found.map((each) => (each['ServerMessageInfo'] as { Timestamp: number }).Timestamp)).toEqual(ids.slice(at + 1, at + 1 + count));

          expect(sim.requests()).toBeLessThan(withPrev ? 40 : 80);
        }
      }
    }
  });

  it('and a moment that is no message works as well', async () => {
    const found = await readNewer(server(even, isExclusive, end).read, String(even[100]! + 5), 3);
    expect(found.map((each) => (each['ServerMessageInfo'] as { Timestamp: number }).Timestamp)).toEqual(even.slice(101, 104));
  });
});
