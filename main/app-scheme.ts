import fs from 'node:fs';
import path from 'node:path';
import { protocol, type Session } from 'electron';

/** Our window's files come from `app://vestnik/…`, so that it needs no `file:` privileges (design §7). */
export const APP_SCHEME = 'app';
export const APP_ORIGIN = `${APP_SCHEME}://vestnik`;

/** Nothing but our own files; pictures also as `data:` (thumbnails made by main). */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.json': 'application/json; charset=utf-8',
};

/** Must be called before Electron is ready. */
export function registerAppScheme(): void {
  protocol.registerSchemesAsPrivileged([{ scheme: APP_SCHEME, privileges: { standard: true, secure: true } }]);
}

/**
 * The file a request of our window names, or undefined for anything outside the folder, of an unknown type, or on another host.
 * @param root absolute folder of the window's built files
 */
export function resolveAppFile(url: string, root: string): { file: string; contentType: string } | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol: scheme, host, pathname } = new URL(url);
  if (scheme !== `${APP_SCHEME}:` || host !== 'vestnik') return undefined;
  let decoded: string;
  try {
    decoded = decodeURIComponent(pathname);
  } catch {
    return undefined;
  }
  if (decoded.includes('\0') || decoded.includes('\\')) return undefined;
  const file = path.join(root, decoded === '/' ? 'index.html' : decoded);
  if (!file.startsWith(root + path.sep)) return undefined;
  const contentType = CONTENT_TYPES[path.extname(file)];
  return contentType === undefined ? undefined : { file, contentType };
}

/** Serves the window's files to `session`, and lets nothing else load there. */
export function serveAppFiles(session: Session, root: string): void {
  const headers = {
    'Content-Security-Policy': CONTENT_SECURITY_POLICY,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
  };
  session.protocol.handle(APP_SCHEME, async (request) => {
    const found = request.method === 'GET' ? resolveAppFile(request.url, root) : undefined;
    if (!found) return new Response('not found', { status: 404, headers });
    try {
      return new Response(await fs.promises.readFile(found.file), { headers: { ...headers, 'Content-Type': found.contentType } });
    } catch {
      return new Response('not found', { status: 404, headers });
    }
  });
  session.webRequest.onBeforeRequest((details, answer) => {
    answer({ cancel: !/^(app|data|blob|devtools|chrome-extension):/.test(details.url) });
  });
}
