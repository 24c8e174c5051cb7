import type { IncomingMessage, ServerResponse } from 'node:http';
import { page } from './html.ts';
import type { SimState } from './state.ts';

/** A page that tries everything a login window must refuse. `?do=` picks one attempt; what got through is reported back. */
const ATTEMPTS: Readonly<Record<string, string>> = {
  navigate: `location.href = FOREIGN + '/evil?by=navigate';`,
  popup: `report('popup:' + (window.open(FOREIGN + '/evil?by=popup') === null ? 'refused' : 'opened'));`,
  'popup-loop': `setInterval(() => window.open('/hostile?do=none'), 50);`,
  permission: `
    const names = { notifications: () => Notification.requestPermission(), geolocation: () => new Promise((yes, no) => navigator.geolocation.getCurrentPosition(() => yes('granted'), () => yes('denied'), { timeout: 3000 })),
      camera: () => navigator.mediaDevices.getUserMedia({ video: true }).then(() => 'granted'), microphone: () => navigator.mediaDevices.getUserMedia({ audio: true }).then(() => 'granted'),
      clipboard: () => navigator.clipboard.readText().then(() => 'granted'), midi: () => navigator.requestMIDIAccess({ sysex: true }).then(() => 'granted'), usb: () => navigator.usb.requestDevice({ filters: [] }).then(() => 'granted') };
    for (const [name, ask] of Object.entries(names)) { Promise.resolve().then(ask).then((state) => report(name + ':' + state), () => report(name + ':denied')); }`,
  download: `const a = document.createElement('a'); a.href = '/hostile/file'; a.download = 'evil.exe'; document.body.append(a); a.click(); report('download:tried');`,
  file: `location.href = 'file:///etc/passwd';`,
  javascript: `const w = window.open('javascript:document.title="owned"'); location.href = 'javascript:void(document.title="owned")';`,
  data: `location.href = 'data:text/html,<title>owned</title>';`,
  blob: `location.href = URL.createObjectURL(new Blob(['<title>owned</title>'], { type: 'text/html' }));`,
  protocol: `location.href = 'ms-settings:about'; setTimeout(() => { location.href = 'vestnik://draft/1'; }, 200); setTimeout(() => { location.href = 'mailto:a@b.c'; }, 400);`,
  redirect: `location.href = '/hostile/redirect?to=' + encodeURIComponent('file:///etc/passwd');`,
  'redirect-foreign': `location.href = '/hostile/redirect?to=' + encodeURIComponent(FOREIGN + '/evil?by=redirect');`,
  'redirect-protocol': `location.href = '/hostile/redirect?to=' + encodeURIComponent('vestnik://draft/1');`,
  webview: `const v = document.createElement('webview'); v.src = FOREIGN + '/evil?by=webview'; document.body.append(v); report('webview:' + typeof v.loadURL);`,
  iframe: `const f = document.createElement('iframe'); f.src = FOREIGN + '/evil?by=iframe'; document.body.append(f);`,
  node: `report('node:' + typeof window.require + ':' + typeof window.process + ':' + typeof window.vestnik);`,
  unload: `window.addEventListener('beforeunload', (event) => { event.preventDefault(); event.returnValue = 'stay'; });`,
  print: `window.print(); alert('alert'); report('print:done');`,
  fullscreen: `document.documentElement.requestFullscreen().then(() => report('fullscreen:granted'), () => report('fullscreen:denied'));`,
  none: '',
};

export function serveHostile(state: SimState, request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? '/', state.origin);
  if (url.pathname === '/hostile/redirect') return void response.writeHead(302, { location: url.searchParams.get('to') ?? '/' }).end();
  if (url.pathname === '/hostile/report') {
    state.hostileReports.push(url.searchParams.get('what') ?? '');
    state.log.changed();
    return void response.writeHead(204).end();
  }
  if (url.pathname === '/hostile/file') {
    return void response
      .writeHead(200, { 'content-type': 'application/octet-stream', 'content-disposition': 'attachment; filename="evil.exe"' })
      .end('MZ evil');
  }
  const attempt = ATTEMPTS[url.searchParams.get('do') ?? 'none'] ?? '';
  const buttons = Object.keys(ATTEMPTS)
    .map((name) => `<button class="plain" data-do="${name}">${name}</button>`)
    .join('');
  const script = `const FOREIGN = ${JSON.stringify(state.foreignOrigin)};
const report = (what) => fetch('/hostile/report?what=' + encodeURIComponent(what));
const attempts = {${Object.entries(ATTEMPTS)
    .map(([name, code]) => `${JSON.stringify(name)}: () => { ${code} }`)
    .join(',')}};
document.querySelectorAll('[data-do]').forEach((button) => button.addEventListener('click', () => attempts[button.dataset.do]()));
try { ${attempt} } catch (error) { report('error:' + error.name); }`;
  response
    .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    .end(page('Hostile', `<main data-page="hostile"><h1>Hostile page</h1>${buttons}</main>`, script));
}

/** Whatever else is asked of the foreign host: it notes that somebody got there. */
export function serveForeignHostile(state: SimState, request: IncomingMessage, response: ServerResponse): void {
  if (request.url === '/favicon.ico') return void response.writeHead(204).end();
  state.hostileReports.push(`reached:${request.url ?? ''}`);
  state.log.changed();
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page('Elsewhere', '<main data-page="foreign"><h1>Another host</h1></main>'));
}
