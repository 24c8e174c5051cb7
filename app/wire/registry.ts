import type { Json, JsonObject } from './api.ts';
import { CookieRejectedError, RateLimitedError, RegistryError, UnexpectedAnswerError } from './errors.ts';
import { isSignInRedirect } from './file-urls.ts';
import { exchange, readText, retryAfterMs } from './http-body.ts';
import { isJsonObject, parseJson, stringAt } from './json.ts';
import type { HttpFetch, HttpRequest, HttpResponse, Log } from './ports.ts';
import type { Protocol } from './protocol.ts';
import { clampWaitMs } from './status.ts';

const MAX_ANSWER_BYTES = 32 * 1024 * 1024; // a search at the ceiling of 1000 messages stays far below
const MAX_TOKEN_ANSWER_BYTES = 64 * 1024;
const MAX_LOGGED_CODE = 64;

/** Registry codes that reject the cookies (protocol §2, L/B). */
const COOKIE_CODES: ReadonlySet<string> = new Set(['invalid_cookies', 'not_authorized', 'no_credentials', 'cookie_auth_failed']);
const BAD_CSRF_TOKEN = 'bad_csrf_token';

export interface RegistryDeps {
  readonly protocol: Protocol;
  readonly http: HttpFetch;
  readonly log: Log;
}

export interface RegistryCallOptions {
  readonly signal: AbortSignal;
  readonly withCsrf: boolean;
  /** A call without an answer may have changed something: told by `wasSent` of the errors. */
  readonly isWrite?: boolean;
}

/** HTTP RPC to the registry (protocol §5, L). One attempt per call, except for a stale CSRF token. */
export class RegistryClient {
  private csrfToken: Promise<string> | undefined;

  constructor(private readonly deps: RegistryDeps) {}

  /**
   * Calls `method` and resolves with the answer's `data`. With `withCsrf` the token goes along, and a `bad_csrf_token` fetches a new one once;
   * a read that asks for one after all gets it the same way.
   * @throws CookieRejectedError, RateLimitedError, RegistryError, UnexpectedAnswerError, ConnectionLostError, or the signal's reason.
   */
  async call(method: string, params: JsonObject, options: RegistryCallOptions): Promise<Json> {
    const token = options.withCsrf ? this.currentToken(options.signal) : undefined;
    try {
      return await this.attempt(method, params, options, await token);
    } catch (error) {
      if (!(error instanceof RegistryError) || error.registryCode !== BAD_CSRF_TOKEN) throw error;
      this.deps.log.info('wire.csrf_renewed', { method });
      if (token !== undefined && this.csrfToken === token) this.csrfToken = undefined;
      return this.attempt(method, params, options, await this.currentToken(options.signal));
    }
  }

  /** The session changed: its CSRF token is void. */
  forgetToken(): void {
    this.csrfToken = undefined;
  }

  private currentToken(signal: AbortSignal): Promise<string> {
    // Not shared while it is on its way: one caller's abort must not fail another's call.
    if (this.csrfToken) return this.csrfToken;
    const token = this.fetchToken(signal);
    token.then(
      () => (this.csrfToken ??= token),
      () => undefined,
    );
    return token;
  }

  private async fetchToken(signal: AbortSignal): Promise<string> {
    const { protocol, http } = this.deps;
    const response = await exchange(http, { method: 'POST', url: protocol.csrfTokenUrl, headers: this.headers(), withSession: true, signal });
    const answer = parseJson(await readText(response, MAX_TOKEN_ANSWER_BYTES, signal));
    throwForStatus('csrf-token', response, answer);
    const token = stringAt(answer, 'token');
    if (token === undefined) throw new UnexpectedAnswerError('csrf-token without a token');
    return token;
  }

  private async attempt(method: string, params: JsonObject, { signal, isWrite }: RegistryCallOptions, csrfToken: string | undefined): Promise<Json> {
    const form = await encodeForm({ method, params });
    const headers = { ...this.headers(), 'Content-Type': form.contentType, ...(csrfToken !== undefined && { 'X-CSRF-TOKEN': csrfToken }) };
    const request: HttpRequest = { method: 'POST', url: this.deps.protocol.registryUrl, headers, body: form.body, withSession: true, signal };
    const response = await exchange(this.deps.http, request, isWrite);
    const answer = parseJson(await readText(response, MAX_ANSWER_BYTES, signal, isWrite));
    throwForStatus(method, response, answer);
    if (!isJsonObject(answer) || answer['status'] !== 'ok') throw new UnexpectedAnswerError(`registry ${method}: no envelope`);
    return answer['data'] ?? null;
  }

  private headers(): Record<string, string> {
    const { messengerPageUrl, organizationId } = this.deps.protocol;
    return {
      Accept: 'application/json',
      Referer: messengerPageUrl,
      ...(organizationId !== null && { 'X-Ya-Organization-Id': organizationId }), // B
    };
  }
}

/** The one field `request` as multipart form data, encoded by the platform's own FormData. */
export async function encodeForm(request: { method: string; params: JsonObject }): Promise<{ contentType: string; body: Uint8Array }> {
  const form = new FormData();
  form.set('request', JSON.stringify(request));
  const encoded = new Response(form);
  return { contentType: encoded.headers.get('content-type') ?? 'multipart/form-data', body: new Uint8Array(await encoded.arrayBuffer()) };
}

/** Decides by HTTP status and the envelope's error code (protocol §2, §5). Returns for an answer worth reading. */
function throwForStatus(method: string, response: HttpResponse, answer: Json | undefined): void {
  const { status } = response;
  const isError = isJsonObject(answer) && answer['status'] === 'error';
  const code = isError ? stringAt(answer['data'], 'code') : undefined;
  if (status === 401 || (code !== undefined && COOKIE_CODES.has(code)) || isSignInRedirect(response)) throw new CookieRejectedError('registry');
  if (status === 429) throw new RateLimitedError(clampWaitMs(retryAfterMs(response)));
  if (isError) throw new RegistryError(method, (code ?? 'error').slice(0, MAX_LOGGED_CODE), status);
  if (status < 200 || status >= 300) throw new RegistryError(method, `http_${status}`, status);
  if (answer === undefined) throw new UnexpectedAnswerError(`registry ${method}: not JSON`);
}
