import { describe, expect, it } from 'vitest';
import {
  classifyPushProxyStatus,
  classifyPushResponse,
  clampWaitMs,
  closeMeaning,
  mayRetryRead,
  proxyStatusName,
  pushStatusName,
  readStatusName,
  readStatusOf,
} from '../../app/wire/status.ts';

const range = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('a read', () => {
  it('is repeated for the proxy statuses 3, 5, 6, 7 and for the statuses 1, 5, and for no other', () => {
    expect(range(12).filter((status) => mayRetryRead('proxy', status))).toEqual([3, 5, 6, 7]);
    expect(range(12).filter((status) => mayRetryRead('read', status))).toEqual([1, 5]);
  });
  it('succeeds without a Status or with 0, and is not understood with anything but a number', () => {
    expect([{}, { Status: 0 }, { Status: null }, { Status: 4 }, { Status: '4' }].map(readStatusOf)).toEqual([0, 0, 0, 4, undefined]);
  });
});

describe('the three layers', () => {
  it('call the same number by their own names', () => {
    expect([proxyStatusName(1), readStatusName(1), pushStatusName(1)]).toEqual(['PROTOCOL_ERROR', 'INTERNAL_ERROR', 'FULLY_COMMITTED']);
    expect([proxyStatusName(8), readStatusName(6), pushStatusName(25)]).toEqual(['FRAME_TOO_LARGE', 'UNAUTHORIZED', 'PUSH_UNAUTHORIZED']);
    expect([proxyStatusName(9), readStatusName(7), pushStatusName(26), pushStatusName(-1), pushStatusName(1.5)]).toEqual([
      'UNKNOWN_9',
      'UNKNOWN_7',
      'UNKNOWN_26',
      'UNKNOWN_-1',
      'UNKNOWN_1.5',
    ]);
  });
});

describe('a push', () => {
  it('is committed by the statuses 1 and 8 alone', () => {
    const committed = range(30).filter((status) => classifyPushResponse({ Status: status }).result.kind === 'committed');
    expect(committed).toEqual([1, 8]);
    expect(classifyPushResponse({ Status: 8 }).result).toMatchObject({ isDuplicate: true });
  });

  it.each([{}, { Status: null }, { Status: '1' }, { Status: true }, { Status: 1.5 }, { MessageInfo: { TimestampMcs: 1 } }])(
    'without a numeric status is not confirmed: %j',
    (body) => {
      expect(classifyPushResponse(body).result).toEqual({ kind: 'unknown', reason: 'no_status' });
    },
  );

  it('tells the message it became, with ids as strings', () => {
    const MessageInfo = { TimestampMcs: 1_785_000_000_123_457, PrevTimestampMcs: '1785000000000001', SeqNo: 7, Version: 3, Other: {} };
    expect(classifyPushResponse({ Status: 1, MessageInfo }).result).toMatchObject({
      messageInfo: { timestampMcs: '1785000000123457', prevTimestampMcs: '1785000000000001', seqNo: 7, version: 3 },
    });
    expect(classifyPushResponse({ Status: 1, MessageInfo: {} }).result).toMatchObject({ kind: 'committed', messageInfo: undefined });
  });

  it('opens a window for 18 and 23, and for a RateLimit that comes with a success', () => {
    expect(classifyPushResponse({ Status: 18 })).toMatchObject({ result: { kind: 'refused', retryAfterMs: 1000 }, wait: { waitMs: 1000 } });
    expect(classifyPushResponse({ Status: 23, RateLimit: { WaitFor: 5000 } })).toMatchObject({ result: { retryAfterMs: 5000 }, wait: { waitMs: 5000 } });
    expect(classifyPushResponse({ Status: 1, RateLimit: { WaitFor: 2500 } })).toMatchObject({ result: { kind: 'committed' }, wait: { waitMs: 2500 } });
    expect(classifyPushResponse({ Status: 1, RateLimit: {} })).toMatchObject({ wait: { waitMs: 1000 } });
    expect(classifyPushResponse({ Status: 3 }).wait).toBeUndefined();
  });

  it.each([
    [0, 1000],
    [-5, 1000],
    [999, 1000],
    [1500, 1500],
    [60_001, 60_000],
    [Number.POSITIVE_INFINITY, 60_000],
    [Number.NaN, 1000],
  ])('waits for %d no shorter than a second and no longer than a minute', (raw, waitMs) => {
    expect(clampWaitMs(raw)).toBe(waitMs);
  });

  it('was certainly not written for the proxy statuses that come before a backend', () => {
    const certain = range(10).filter((status) => classifyPushProxyStatus(status).result.kind === 'rejected');
    expect(certain).toEqual([1, 2, 4, 5, 8]);
    expect(classifyPushProxyStatus(3).result).toEqual({ kind: 'unknown', reason: 'proxy_status' });
    expect(classifyPushProxyStatus(7).waitMs).toBe(1000);
  });
});

describe('a closed socket', () => {
  it.each([
    [4401, 'cookie auth failed', 'cookie_rejected'],
    [1000, 'xiva: No Credentials given', 'cookie_rejected'],
    [4403, 'bad sign', 'cookie_rejected'],
    [4401, '', 'cookie_rejected'],
    [4400, 'invalid argument "service"', 'invalid_argument'],
    [1006, '', 'lost'],
    [1001, 'going away', 'lost'],
  ])('with %i %j means %s', (code, reason, meaning) => {
    expect(closeMeaning(code, reason)).toBe(meaning);
  });
});
