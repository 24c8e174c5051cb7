/** JSON-RPC as MCP uses it over stdio: one object per line, no batches. */

export type RequestId = string | number;

export interface Failure {
  readonly message: string;
  readonly nextStep: string;
}

interface Message {
  readonly jsonrpc: '2.0';
}
export interface Request extends Message {
  readonly kind: 'request';
  readonly id: RequestId;
  readonly method: string;
  readonly params?: unknown;
}
export interface Notification extends Message {
  readonly kind: 'notification';
  readonly method: string;
  readonly params?: unknown;
}
export interface Response extends Message {
  readonly kind: 'response';
  readonly id: RequestId | null;
  readonly result?: unknown;
  readonly error?: unknown;
}
export type Incoming = Request | Notification | Response;

export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
/** In the range that JSON-RPC leaves to servers: Vestnik cannot be reached. */
export const UNREACHABLE = -32000;

/** A line that is no message. `id` is the best that can be told about whom to answer. */
export class InvalidMessageError extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly id: RequestId | null = null,
  ) {
    super(message);
  }
}

export function isId(value: unknown): value is RequestId {
  return typeof value === 'string' || typeof value === 'number';
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Reads one line.
 * @throws InvalidMessageError with the JSON-RPC code to answer with
 */
export function parseMessage(line: Buffer): Incoming {
  let value: unknown;
  try {
    value = JSON.parse(line.toString('utf8'));
  } catch {
    throw new InvalidMessageError(PARSE_ERROR, 'Parse error: the line is not JSON.');
  }
  if (!isRecord(value)) throw new InvalidMessageError(INVALID_REQUEST, 'Invalid request: one JSON-RPC object per line.');
  const { id, method, params } = value;
  const answerTo = isId(id) ? id : null;
  if (value.jsonrpc !== '2.0') throw new InvalidMessageError(INVALID_REQUEST, 'Invalid request: "jsonrpc" is not "2.0".', answerTo);
  if (typeof method === 'string') {
    const rest = { jsonrpc: '2.0' as const, method, ...(params === undefined ? {} : { params }) };
    if (id === undefined) return { kind: 'notification', ...rest };
    if (isId(id)) return { kind: 'request', id, ...rest };
    throw new InvalidMessageError(INVALID_REQUEST, 'Invalid request: "id" is no string or number.');
  }
  if (method === undefined && ('result' in value || 'error' in value)) {
    const outcome = 'result' in value ? { result: value.result } : { error: value.error };
    return { kind: 'response', jsonrpc: '2.0', id: answerTo, ...outcome };
  }
  throw new InvalidMessageError(INVALID_REQUEST, 'Invalid request: no method.', answerTo);
}

export function resultLine(id: RequestId, result: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', id, result });
}

export function errorLine(id: RequestId | null, code: number, message: string): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } });
}

/** A tool call that failed, in the shape of every failure of Vestnik's own tools (design §4, §5). */
export function toolFailureLine(id: RequestId, { message, nextStep }: Failure): string {
  const structuredContent = { code: 'server_error', message, next_step: nextStep };
  return resultLine(id, { isError: true, structuredContent, content: [{ type: 'text', text: JSON.stringify(structuredContent) }] });
}

/** The right kind of failure for a request of this method. */
export function failureLine(request: { readonly id: RequestId; readonly method: string }, failure: Failure): string {
  if (request.method === 'tools/call') return toolFailureLine(request.id, failure);
  return errorLine(request.id, UNREACHABLE, `${failure.message} ${failure.nextStep}`);
}
