import type { JsonObject } from './api.ts';
import { ConnectionLostError, ProxyStatusError, ReadStatusError, UnexpectedAnswerError, type WireError } from './errors.ts';
import type { Answer } from './pending-requests.ts';
import { mayRetryRead, proxyStatusName, readStatusName, readStatusOf } from './status.ts';

/** Attempts at one read that reached the server and came back with something worth another try; about 6 s of pauses. */
const MAX_READ_ATTEMPTS = 6;
/** An answer nobody can read is asked for once more. */
const MAX_UNREADABLE_ATTEMPTS = 2;

export type ReadOutcome = { readonly body: JsonObject } | { readonly failure: WireError; readonly mayRetry: boolean };

/** What an answer means for the read `method` after so many attempts (protocol §3, L). */
export function judgeRead(method: string, answer: Answer, attempts: number): ReadOutcome {
  const isLast = attempts >= MAX_READ_ATTEMPTS;
  switch (answer.kind) {
    case 'response': {
      const status = readStatusOf(answer.body);
      if (status === 0) return { body: answer.body };
      if (status === undefined) return { failure: new UnexpectedAnswerError(`${method}: Status is no number`), mayRetry: false };
      return { failure: new ReadStatusError(status, readStatusName(status), method), mayRetry: !isLast && mayRetryRead('read', status) };
    }
    case 'proxy_status':
      return {
        failure: new ProxyStatusError(answer.status, proxyStatusName(answer.status), method),
        mayRetry: !isLast && mayRetryRead('proxy', answer.status),
      };
    case 'lost':
      return { failure: new ConnectionLostError(true), mayRetry: !isLast };
    case 'unreadable':
      return { failure: new UnexpectedAnswerError(`${method}: unreadable answer`), mayRetry: attempts < MAX_UNREADABLE_ATTEMPTS };
  }
}
