import { describe, expect, it } from 'vitest';
import { parseProtocol } from '../../app/wire/protocol.ts';
import { decideFrame, decideNavigation, decidePopup, loginTitle } from '../../main/login/navigation.ts';
import { UserActivation } from '../../main/login/user-activation.ts';
import { plainChromeUserAgent } from '../../main/login/user-agent.ts';

const yandex = parseProtocol().protocol;
const business = parseProtocol({ messengerPageUrl: 'https://messenger.360.yandex.ru' }).protocol;
const loopback = parseProtocol({ messengerPageUrl: 'http://127.0.0.1:5000/chat', cookieDomain: '127.0.0.1' }).protocol;
const CHAT = 'https://yandex.ru/chat';
const PASSPORT = 'https://passport.yandex.ru/auth?retpath=x';
const PROVIDER = 'https://login.company.example/saml';
const at = (from: string | undefined, hasUserActivation = false) => ({ from, hasUserActivation });

describe('where the login window may go', () => {
  it.each([
    ['Passport', PASSPORT, CHAT],
    ['a subdomain of Yandex', 'https://sso.passport.yandex.ru/push', PASSPORT],
    ['the page itself', CHAT, undefined],
  ])('%s is free', (_name, target, from) => expect(decideNavigation(target, at(from), yandex)).toBe('allow'));

  it('Passport may send to a company provider, which may go on and come back', () => {
    expect(decideNavigation(PROVIDER, at(PASSPORT), yandex)).toBe('allow');
    expect(decideNavigation('https://mfa.other.example/', at(PROVIDER), yandex)).toBe('allow');
    expect(decideNavigation('https://passport.yandex.ru/auth/sso/commit', at(PROVIDER), yandex)).toBe('allow');
  });

  it('the Messenger page may not: clicked links go to the system browser, others nowhere', () => {
    expect(decideNavigation('https://elsewhere.example/', at(CHAT, true), yandex)).toBe('external');
    expect(decideNavigation('https://elsewhere.example/', at(CHAT), yandex)).toBe('refuse');
    expect(decideNavigation('https://elsewhere.example/', at('https://messenger.360.yandex.ru/chats/1', true), business)).toBe('external');
  });

  it('a click that Yandex itself answers by sending on leads to a provider, whatever the page is called; one on a posted link does not', () => {
    const hop = 'https://yandex.ru/business/enter';
    expect(decideNavigation(PROVIDER, { from: hop, hasUserActivation: true, redirectedSince: 'https://yandex.ru/business/choose' }, yandex)).toBe('allow');
    expect(decideNavigation(PROVIDER, { from: hop, hasUserActivation: false, redirectedSince: 'https://yandex.ru/business/choose' }, yandex)).toBe('refuse');
    expect(decideNavigation(PROVIDER, { from: hop, hasUserActivation: true, redirectedSince: CHAT }, yandex)).toBe('external');
    expect(decideNavigation(PROVIDER, { from: hop, hasUserActivation: true, redirectedSince: undefined }, yandex)).toBe('external');
  });

  it('a host that is all Messenger may still hold the pages to sign in with', () => {
    const { protocol } = parseProtocol({ messengerPageUrl: 'http://127.0.0.1:5000/', cookieDomain: '127.0.0.1' });
    expect(decideNavigation('http://localhost:6000/idp', at('http://127.0.0.1:5000/auth/company'), protocol)).toBe('allow');
    expect(decideNavigation('http://localhost:6000/idp', at('http://127.0.0.1:5000/'), protocol)).toBe('refuse');
  });

  it('other pages of Yandex are no part of signing in', () => {
    expect(decideNavigation('https://elsewhere.example/', at('https://yandex.ru/search?text=passport', true), yandex)).toBe('external');
  });

  it.each([
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/html,x',
    'vestnik://draft/1',
    'tg://resolve',
    'http://yandex.ru/chat',
    'blob:https://yandex.ru/1',
    'not a url',
  ])('%s is refused from anywhere', (target) => {
    expect(decideNavigation(target, at(PASSPORT, true), yandex)).toBe('refuse');
    expect(decideNavigation(target, at(PROVIDER, true), yandex)).toBe('refuse');
    expect(decidePopup(target, at(PASSPORT, true), yandex)).toBe('refuse');
  });

  it.each(['https://yandex.ru.evil.example/', 'https://evilyandex.ru/', 'https://passport.yandex.ru@evil.example/', 'https://xn--yndex-4ve.ru/'])(
    '%s is not taken for Yandex',
    (target) => expect(decideNavigation(target, at(CHAT), yandex)).toBe('refuse'),
  );

  it('plain http is a place to sign in only while the whole Messenger is on this machine', () => {
    expect(decideNavigation('http://127.0.0.1:5000/passport/auth', at('http://127.0.0.1:5000/chat'), loopback)).toBe('allow');
    expect(decideNavigation('http://localhost:6000/idp/login', at('http://127.0.0.1:5000/passport/sso'), loopback)).toBe('allow');
    expect(decideNavigation('http://localhost:6000/idp/login', at('http://127.0.0.1:5000/chat'), loopback)).toBe('refuse');
    expect(decideNavigation('http://company.example/', at('http://127.0.0.1:5000/passport/sso'), loopback)).toBe('refuse');
    expect(decideNavigation('http://localhost:6000/', at(PASSPORT), yandex)).toBe('refuse');
  });

  it('a popup needs a click', () => {
    expect(decidePopup(PASSPORT, at(CHAT), yandex)).toBe('refuse');
    expect(decidePopup(PASSPORT, at(CHAT, true), yandex)).toBe('allow');
    expect(decidePopup('about:blank', at(CHAT), yandex)).toBe('refuse');
    expect(decidePopup('https://elsewhere.example/', at(CHAT, true), yandex)).toBe('external');
  });

  it('frames stay on the web', () => {
    expect(decideFrame('https://captcha.example/', yandex)).toBe('allow');
    expect(decideFrame('about:srcdoc', yandex)).toBe('allow');
    expect(decideFrame('vestnik://draft/1', yandex)).toBe('refuse');
    expect(decideFrame('file:///etc/passwd', yandex)).toBe('refuse');
  });

  it('the title begins with the real host, look-alike letters spelled out', () => {
    expect(loginTitle('https://login.company.example:8443/x', 'Sign in')).toBe('login.company.example:8443 — Sign in');
    expect(loginTitle('https://уandex.ru/', 'Sign in')).toMatch(/^xn--/);
    expect(loginTitle('', 'Sign in')).toBe('Sign in');
  });
});

describe('a click', () => {
  it('opens one thing, soon, and movement is none', () => {
    let now = 0;
    const activation = new UserActivation(() => now);
    activation.noteInput('mouseMove');
    expect(activation.isActive).toBe(false);
    activation.noteInput('mouseDown');
    expect(activation.isActive).toBe(false);
    activation.noteInput('mouseUp');
    expect(activation.consume()).toBe(true);
    expect(activation.consume()).toBe(false);
    activation.noteInput('rawKeyDown');
    now += 5_001;
    expect(activation.isActive).toBe(false);
  });
});

it('the user agent is that of a plain Chrome', () => {
  const mac =
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Vestnik/0.1.0 Chrome/130.0.6723.137 Electron/33.2.1 Safari/537.36';
  expect(plainChromeUserAgent(mac)).toBe(
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36',
  );
});
