import { describe, expect, it } from 'vitest';
import { failureLine, InvalidMessageError, parseMessage } from '../../app/shim/json-rpc.ts';
import { hasMethod, initializeResult, type Snapshot } from '../../app/shim/snapshot.ts';
import { CONNECTION_LOST } from '../../app/shim/words.ts';

function refusal(text: string): [number, unknown] {
  try {
    parseMessage(Buffer.from(text));
  } catch (error) {
    if (error instanceof InvalidMessageError) return [error.code, error.id];
    throw error;
  }
  return [0, undefined];
}

describe('a line from the client', () => {
  it('is told apart as request, notification and response', () => {
    expect(parseMessage(Buffer.from('{"jsonrpc":"2.0","id":0,"method":"ping"}'))).toEqual({ kind: 'request', jsonrpc: '2.0', id: 0, method: 'ping' });
    expect(parseMessage(Buffer.from('{"jsonrpc":"2.0","method":"x","params":{"a":1}}'))).toMatchObject({ kind: 'notification', params: { a: 1 } });
    expect(parseMessage(Buffer.from('{"jsonrpc":"2.0","id":"v","result":{}}\r'))).toMatchObject({ kind: 'response', id: 'v', result: {} });
    expect(parseMessage(Buffer.from('{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"m"}}'))).toMatchObject({ kind: 'response', id: null });
  });

  it('is refused with the code that JSON-RPC has for it, to the right id', () => {
    expect(refusal('{')).toEqual([-32700, null]);
    expect(refusal('[{"jsonrpc":"2.0","id":1,"method":"ping"}]')).toEqual([-32600, null]);
    expect(refusal('7')).toEqual([-32600, null]);
    expect(refusal('{"id":5,"method":"ping"}')).toEqual([-32600, 5]);
    expect(refusal('{"jsonrpc":"2.0","id":{},"method":"ping"}')).toEqual([-32600, null]);
    expect(refusal('{"jsonrpc":"2.0","id":6}')).toEqual([-32600, 6]);
  });
});

describe('a failure', () => {
  it('of a tool call has the shape of every failure of a tool', () => {
    const { result } = JSON.parse(failureLine({ id: 1, method: 'tools/call' }, CONNECTION_LOST)) as { result: Record<string, unknown> };
    expect(result.isError).toBe(true);
    expect(result.structuredContent).toEqual({ code: 'server_error', message: CONNECTION_LOST.message, next_step: CONNECTION_LOST.nextStep });
    expect(JSON.parse((result.content as { text: string }[])[0]?.text as string)).toEqual(result.structuredContent);
  });

  it('of anything else is a JSON-RPC error', () => {
    expect(JSON.parse(failureLine({ id: 'a', method: 'prompts/list' }, CONNECTION_LOST))).toMatchObject({ id: 'a', error: { code: -32000 } });
  });
});

describe('the snapshot', () => {
  const snapshot: Snapshot = { protocolVersions: ['2025-11-25', '2025-06-18'], initialize: { capabilities: { tools: {}, completions: {} } }, tools: [] };

  it('speaks the version that the client asks for, or else the newest it knows', () => {
    expect(initializeResult(snapshot, { protocolVersion: '2025-06-18' }).protocolVersion).toBe('2025-06-18');
    expect(initializeResult(snapshot, { protocolVersion: '1999-01-01' }).protocolVersion).toBe('2025-11-25');
    expect(initializeResult(snapshot, undefined).protocolVersion).toBe('2025-11-25');
  });

  it('knows what the server can do at all', () => {
    expect(hasMethod(snapshot, 'tools/list')).toBe(true);
    expect(hasMethod(snapshot, 'completion/complete')).toBe(true);
    expect(hasMethod(snapshot, 'prompts/list')).toBe(false);
  });
});
