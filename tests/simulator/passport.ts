import type { IncomingMessage, ServerResponse } from 'node:http';
import { parseCookies } from './accounts.ts';
import { escapeHtml, page } from './html.ts';
import { newHex } from './ids.ts';
import type { SimState } from './state.ts';
import type { Person } from './world.ts';

/**
 * The web pages that sign a person in (protocol §2): the Messenger page with its Passport window, company sign-in on a
 * foreign host and back, and popups that nobody clicked.
 */

const YEAR_S = 31_536_000;

function cookie(name: string, value: string, isHttpOnly: boolean, maxAgeS = YEAR_S): string {
  return `${name}=${value}; Path=/; Max-Age=${maxAgeS}${isHttpOnly ? '; HttpOnly' : ''}; SameSite=Lax`;
}

function html(response: ServerResponse, body: string, cookies: string[] = []): void {
  response
    .writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store', ...(cookies.length ? { 'set-cookie': cookies } : {}) })
    .end(body);
}

function redirect(response: ServerResponse, location: string, cookies: string[] = []): void {
  response.writeHead(302, { location, ...(cookies.length ? { 'set-cookie': cookies } : {}) }).end();
}

/** Cookies of a signed-in person: `Session_id` and the long-lived one are HttpOnly. */
export function signInCookies(state: SimState, person: Person, jar: Map<string, string>): string[] {
  const { session, longLivedId } = state.accounts.signIn(person);
  return [
    cookie('Session_id', session.id, true),
    cookie('sessionid2', longLivedId, true),
    ...(jar.has('yandexuid') ? [] : [cookie('yandexuid', newYandexuid(), false)]),
    cookie('yandex_login', person.nickname, false),
  ];
}

export function newYandexuid(): string {
  return `${Math.floor(1_000_000_000 + Math.random() * 8_999_999_999)}${Math.floor(Date.now() / 1000)}`.slice(0, 19);
}

/** `/chat`: signs a returning person in by the long-lived cookie, makes a guest of anybody else. */
function chatPage(state: SimState, request: IncomingMessage, response: ServerResponse): void {
  const jar = parseCookies(request.headers.cookie);
  const fault = state.faults.take('page', '/chat');
  if (fault?.kind === 'http') return void response.writeHead(fault.status).end();
  const cookies: string[] = [];
  let session = state.accounts.sessions.get(jar.get('Session_id') ?? '');
  if (!session?.isValid || !session.person) {
    const renewed = state.accounts.renew(jar.get('sessionid2'));
    if (renewed) {
      session = renewed;
      cookies.push(cookie('Session_id', renewed.id, true));
    } else if (!session?.isValid) {
      session = state.accounts.guest();
      cookies.push(cookie('Session_id', session.id, false));
    }
  }
  if (!jar.has('yandexuid')) cookies.push(cookie('yandexuid', newYandexuid(), false));
  cookies.push(cookie('i', newHex(16), true));
  const person = session.person;
  if (person) {
    return html(
      response,
      page(
        'Messenger',
        `<main data-state="signed-in"><h1>Messenger</h1><p>Signed in as <b id="me">${escapeHtml(person.displayName)}</b></p><p class="muted">Choose a chat to start.</p><a class="button plain" href="/passport/logout">Log out</a></main>`,
      ),
      cookies,
    );
  }
  // The page also opens windows by itself: a wrapper that follows each of them never comes to rest.
  const unclicked =
    state.settings.popups === 'unclicked'
      ? `const open = () => window.open('/passport/auth?auto=1&retpath=%2Fchat', '_blank'); open(); setInterval(open, 400);`
      : '';
  html(
    response,
    page(
      'Messenger',
      `<main data-state="guest"><h1>Messenger</h1><p>Log in to read and write.</p><button id="login">Log in</button></main>`,
      `document.getElementById('login').addEventListener('click', () => { window.open('/passport/auth?origin=messenger&retpath=%2Fchat', 'passport', 'width=480,height=640'); });${unclicked}`,
    ),
    cookies,
  );
}

function authPage(state: SimState, request: IncomingMessage, response: ServerResponse, error = ''): void {
  if ((request.url ?? '').includes('auto=1')) state.unclickedPopups += 1;
  const buttons = state.world.people
    .filter((person) => state.loginNames.has(person.guid))
    .map((person) => `<button name="guid" value="${person.guid}" data-account="${escapeHtml(person.nickname)}">${escapeHtml(person.displayName)}</button>`)
    .join('');
  html(
    response,
    page(
      'Passport',
      `<main data-page="passport"><h1>Sign in to Passport</h1>${error ? `<p role="alert">${escapeHtml(error)}</p>` : ''}
<form method="post" action="/passport/auth"><label>Login<input name="login" autocomplete="username"></label><label>Password<input name="password" type="password" autocomplete="current-password"></label><button class="plain" id="sign-in">Sign in</button></form>
<p class="muted">or as</p><form method="post" action="/passport/auth" id="accounts">${buttons}</form>
<a class="button plain" id="sso" href="/passport/sso">Sign in with company account (SSO)</a></main>`,
    ),
  );
}

/** Ends the sign-in: a popup hands over to the page that opened it and closes; a plain window goes on itself. */
function finishPage(response: ServerResponse, cookies: string[]): void {
  const script = `if (window.opener && !window.opener.closed) { try { window.opener.location.href = '/chat'; } catch {} window.close(); } setTimeout(() => { location.href = '/chat'; }, 150);`;
  html(response, page('Passport', '<main><h1>Signed in</h1><p class="muted">One moment…</p></main>', script), cookies);
}

async function form(request: IncomingMessage): Promise<URLSearchParams> {
  let text = '';
  for await (const chunk of request as AsyncIterable<Buffer>) {
    text += chunk.toString('utf8');
    if (text.length > 100_000) break;
  }
  return new URLSearchParams(text);
}

/** Pages of Yandex's own host; false when the path is none of them. */
export async function servePassport(state: SimState, request: IncomingMessage, response: ServerResponse): Promise<boolean> {
  const url = new URL(request.url ?? '/', state.origin);
  const jar = parseCookies(request.headers.cookie);
  switch (url.pathname) {
    case '/':
    case '/chat':
    case '/chat/':
      chatPage(state, request, response);
      return true;
    case '/passport/auth': {
      if (request.method !== 'POST') {
        authPage(state, request, response);
        return true;
      }
      const fields = await form(request);
      const person =
        state.world.personByGuid(fields.get('guid') ?? '') ??
        (fields.get('password') === state.settings.password ? state.world.people.find((each) => each.nickname === fields.get('login')) : undefined);
      if (person && state.loginNames.has(person.guid)) finishPage(response, signInCookies(state, person, jar));
      else authPage(state, request, response, 'Wrong login or password');
      return true;
    }
    case '/passport/sso':
      redirect(response, `${state.foreignOrigin}/idp/login?RelayState=${encodeURIComponent(`${state.origin}/passport/sso-return`)}`);
      return true;
    case '/passport/sso-return': {
      const person = state.world.personByGuid(state.ssoCodes.get(url.searchParams.get('code') ?? '') ?? '');
      state.ssoCodes.delete(url.searchParams.get('code') ?? '');
      if (person) finishPage(response, signInCookies(state, person, jar));
      else authPage(state, request, response, 'Company sign-in failed');
      return true;
    }
    case '/passport/logout':
      state.accounts.signOut(request.headers.cookie);
      redirect(response, '/chat', [cookie('Session_id', '', true, 0), cookie('sessionid2', '', true, 0)]);
      return true;
    default:
      return false;
  }
}

/** The company's identity provider, on the foreign host. */
export async function serveIdp(state: SimState, request: IncomingMessage, response: ServerResponse): Promise<boolean> {
  const url = new URL(request.url ?? '/', state.foreignOrigin);
  if (url.pathname !== '/idp/login') return false;
  if (request.method === 'POST') {
    const fields = await form(request);
    const person = state.world.people.find((each) => each.nickname === fields.get('login')) ?? state.world.me;
    const code = newHex(12);
    state.ssoCodes.set(code, person.guid);
    // The way back is ours alone: an identity provider redirects to the address it knows.
    redirect(response, `${state.origin}/passport/sso-return?code=${code}`, [`idp_session=${newHex(8)}; Path=/; HttpOnly`]);
    return true;
  }
  html(
    response,
    page(
      'Acme sign-in',
      `<main data-page="idp"><h1>Acme Corp</h1><p class="muted">Company sign-in</p><form method="post" action="/idp/login"><label>Work account<input name="login" value="${escapeHtml(state.world.me.nickname)}"></label><label>Password<input type="password" name="password" value="x"></label><button id="idp-continue">Continue</button></form></main>`,
    ),
  );
  return true;
}
