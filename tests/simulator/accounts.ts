import { newHex } from './ids.ts';
import type { Person, World } from './world.ts';

export interface Session {
  id: string;
  /** Undefined: a guest. */
  person: Person | undefined;
  isValid: boolean;
}

/** Parses a Cookie header. The first of two equal names wins. */
export function parseCookies(header: string | undefined): Map<string, string> {
  const cookies = new Map<string, string>();
  for (const part of (header ?? '').split(';')) {
    const at = part.indexOf('=');
    if (at < 1) continue;
    const name = part.slice(0, at).trim();
    if (!cookies.has(name)) cookies.set(name, part.slice(at + 1).trim());
  }
  return cookies;
}

/** Passport's memory: sessions by the value of `Session_id`, long-lived ones by `sessionid2`, CSRF tokens by session. */
export class Accounts {
  readonly sessions = new Map<string, Session>();
  readonly longLived = new Map<string, Person>();
  private readonly csrf = new Map<string, string>();
  /** False: loading the page again does not renew an expired session. */
  canRefresh = true;

  constructor(readonly world: World) {}

  private create(person: Person | undefined): Session {
    const session = { id: `${person ? '3' : 'noauth'}:${Date.now()}.5.0.${newHex(16)}`, person, isValid: true };
    this.sessions.set(session.id, session);
    return session;
  }
  /** A guest has cookies too, even a `Session_id`-looking one (protocol §2). */
  guest(): Session {
    return this.create(undefined);
  }
  signIn(person: Person): { session: Session; longLivedId: string } {
    const longLivedId = newHex(20);
    this.longLived.set(longLivedId, person);
    return { session: this.create(person), longLivedId };
  }
  /** A new session from a long-lived cookie, as Passport gives one when the page is loaded again. */
  renew(longLivedId: string | undefined): Session | undefined {
    const person = longLivedId ? this.longLived.get(longLivedId) : undefined;
    return person && this.canRefresh ? this.create(person) : undefined;
  }
  signOut(cookieHeader: string | undefined): void {
    const cookies = parseCookies(cookieHeader);
    const session = this.sessions.get(cookies.get('Session_id') ?? '');
    if (session) session.isValid = false;
    this.longLived.delete(cookies.get('sessionid2') ?? '');
  }

  /** The session of a Cookie header, valid or not. */
  find(cookieHeader: string | undefined): Session | undefined {
    return this.sessions.get(parseCookies(cookieHeader).get('Session_id') ?? '');
  }
  /** Ends every session of a person; loading the page again renews it unless `canRefresh` is false. */
  expire(person?: Person, options: { canRefresh?: boolean } = {}): void {
    if (options.canRefresh !== undefined) this.canRefresh = options.canRefresh;
    for (const session of this.sessions.values()) if (session.person && (!person || session.person === person)) session.isValid = false;
  }

  /** Makes a session valid again, for a cookie that cannot change (the core without a browser). */
  revive(): void {
    for (const session of this.sessions.values()) session.isValid = true;
  }

  csrfToken(session: Session): string {
    const token = this.csrf.get(session.id) ?? newHex(20);
    this.csrf.set(session.id, token);
    return token;
  }
  isCsrfToken(session: Session, token: string | undefined): boolean {
    return token !== undefined && this.csrf.get(session.id) === token;
  }
  /** Old tokens stop working; the next request of one gives another. */
  rotateCsrf(): void {
    this.csrf.clear();
  }
}
