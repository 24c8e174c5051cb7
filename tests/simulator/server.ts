import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serveControl } from './control.ts';
import { serveFileShortterm, serveStorage, serveUpload } from './files.ts';
import { serveForeignHostile, serveHostile } from './hostile.ts';
import { serveIdp, servePassport } from './passport.ts';
import { servePhone } from './phone.ts';
import { callRegistry, readForm, RegistryFailure } from './registry.ts';
import type { Simulator } from './simulator.ts';
import type { SimState } from './state.ts';

/** The two HTTP servers: Yandex's own host (127.0.0.1) and a foreign one (localhost). */

function json(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers }).end(JSON.stringify(body));
}

function registryError(response: ServerResponse, failure: RegistryFailure): void {
  json(response, failure.httpStatus, { status: 'error', data: { code: failure.code, ...(failure.text ? { text: failure.text } : {}), source: 'registry' } });
}

function headersOf(request: IncomingMessage): Record<string, string> {
  return Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
}

function serveCsrf(state: SimState, request: IncomingMessage, response: ServerResponse): void {
  const fault = state.faults.take('csrf', 'POST');
  if (fault?.kind === 'http') return void response.writeHead(fault.status, fault.headers).end(fault.body);
  if (fault?.kind === 'silence') return;
  if (fault?.kind === 'drop') return void request.socket.destroy();
  if (request.method !== 'POST') return void response.writeHead(405).end();
  const session = state.accounts.find(request.headers.cookie);
  if (!session?.isValid) return refuseCookies(state, response);
  json(response, 200, { token: state.accounts.csrfToken(session) });
}

function refuseCookies(state: SimState, response: ServerResponse): void {
  const { http, code } = state.settings.registryRefusal;
  registryError(response, new RegistryFailure(code, http));
}

async function serveRegistry(state: SimState, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    if (request.method !== 'POST') throw new RegistryFailure('method_not_allowed', 405);
    const { method, params } = await readForm(request);
    state.log.add({ channel: 'registry', method, params, headers: headersOf(request), cookiesSent: request.headers.cookie ?? '' });
    for (const [name, isGood] of [
      ['accept', (request.headers.accept ?? '').includes('application/json')],
      ['referer', (request.headers.referer ?? '').startsWith(state.origin)],
    ] as const) {
      if (isGood) continue;
      state.log.violate(`registry ${method}: header ${name} is ${request.headers[name] ?? 'missing'}`);
      throw new RegistryFailure('bad_request', 400, `header ${name}`);
    }
    const session = state.accounts.find(request.headers.cookie);
    const fault = state.faults.take('registry', method, params);
    if (fault?.kind === 'http') {
      if (fault.code) return json(response, fault.status, { status: 'error', data: { code: fault.code } }, fault.headers);
      return void response.writeHead(fault.status, fault.headers).end(fault.body ?? '');
    }
    if (fault?.kind === 'drop') return void request.socket.destroy();
    if (fault?.kind === 'silence') return;
    if (fault?.kind === 'garbage') return void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>not json');
    if (!session?.isValid) return refuseCookies(state, response);
    if (fault?.kind === 'delay') await new Promise((resolve) => setTimeout(resolve, fault.ms));
    const csrf = request.headers['x-csrf-token'];
    const data = callRegistry(state, session, typeof csrf === 'string' ? csrf : undefined, method, params);
    state.log.changed();
    json(response, 200, { status: 'ok', data });
  } catch (error) {
    if (!(error instanceof RegistryFailure)) state.log.violate(`simulator error in the registry: ${(error as Error).stack}`);
    registryError(response, error instanceof RegistryFailure ? error : new RegistryFailure('internal_error', 500));
  }
}

async function serveOwn(sim: Simulator, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { state } = sim;
  const path = (request.url ?? '/').split('?')[0] as string;
  if (path.startsWith('/__sim/')) return serveControl(sim, request, response);
  if (path === '/messenger/api/registry/csrf-token/') return serveCsrf(state, request, response);
  if (path === '/messenger/api/registry/api/') return serveRegistry(state, request, response);
  state.log.add({
    channel: 'http',
    method: request.method ?? '',
    params: { url: request.url ?? '' },
    headers: headersOf(request),
    cookiesSent: request.headers.cookie ?? '',
  });
  if (path.startsWith('/file_shortterm/')) return serveFileShortterm(state, request, response);
  if (path.startsWith('/phone')) return servePhone(sim, request, response);
  if (path.startsWith('/hostile')) return serveHostile(state, request, response);
  if (path === '/favicon.ico') return void response.writeHead(204).end();
  if (await servePassport(state, request, response)) return;
  response.writeHead(404, { 'content-type': 'text/plain' }).end('not found');
}

async function serveForeign(state: SimState, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = request.url ?? '/';
  if (path.startsWith('/storage/')) return serveStorage(state, request, response);
  if (path.startsWith('/upload-target/')) return serveUpload(state, request, response);
  if (await serveIdp(state, request, response)) return;
  serveForeignHostile(state, request, response);
}

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

/** Starts both servers. The foreign one is reached as `localhost`: another host for every cookie. */
export async function startServers(sim: Simulator, port: number, foreignPort: number): Promise<() => Promise<void>> {
  const guard = (response: ServerResponse) => (error: unknown) => {
    sim.state.log.violate(`simulator error: ${(error as Error).stack}`);
    if (!response.headersSent) response.writeHead(500);
    response.end();
  };
  const own = createServer((request, response) => void serveOwn(sim, request, response).catch(guard(response)));
  own.on('upgrade', (request, socket, head) => {
    socket.on('error', () => undefined);
    if ((request.url ?? '').startsWith('/v2/subscribe/websocket?')) sim.socketSide.upgrade(request, socket, head);
    else socket.destroy();
  });
  const foreign = createServer((request, response) => void serveForeign(sim.state, request, response).catch(guard(response)));
  sim.state.origin = `http://127.0.0.1:${await listen(own, '127.0.0.1', port)}`;
  try {
    sim.state.foreignOrigin = `http://localhost:${await listen(foreign, '127.0.0.1', foreignPort)}`;
  } catch (error) {
    own.close();
    throw error;
  }
  return async () => {
    sim.socketSide.stop();
    await Promise.all(
      [own, foreign].map((server) => {
        server.closeAllConnections();
        return new Promise((resolve) => server.close(resolve));
      }),
    );
  };
}
