/** The errors reading and writing can end with; they are the wire's. Folders above the messenger take them from here. */
export {
  CancelledError,
  ConnectionLostError,
  CookieRejectedError,
  DownloadError,
  NotSignedInError,
  ProxyStatusError,
  RateLimitedError,
  ReadStatusError,
  RegistryError,
  TimeoutError,
  UnexpectedAnswerError,
  UploadError,
  WireError,
} from '../wire/index.ts';
import { ProxyStatusError, ReadStatusError, RegistryError, UnexpectedAnswerError } from '../wire/index.ts';

/** "No such chat" of a read (protocol §3, layer 2, L). */
export const ENTITY_NOT_FOUND = 4;
const ACCESS_DENIED = 2;

export function isEntityNotFound(error: unknown): boolean {
  return error instanceof ReadStatusError && error.status === ENTITY_NOT_FOUND;
}

/** "Access denied" of a read (protocol §3, layer 2, L): a chat the person is no member of may still open with its invite hash. */
export function isRefusedWithoutInvite(error: unknown): boolean {
  return error instanceof ReadStatusError && error.status === ACCESS_DENIED;
}

/**
 * The server's own refusal of one request: what rests on a fact of grade B may go on without its answer.
 * A lost session, an ended budget or a broken connection is not among them.
 */
export function isServerRefusal(error: unknown): error is RegistryError | ReadStatusError | ProxyStatusError | UnexpectedAnswerError {
  return error instanceof RegistryError || error instanceof ReadStatusError || error instanceof ProxyStatusError || error instanceof UnexpectedAnswerError;
}

/** A refusal because the server is unwell (HTTP 5xx), which says nothing about what was asked for. */
export function isServerTrouble(error: unknown): boolean {
  return error instanceof RegistryError && error.httpStatus >= 500;
}
