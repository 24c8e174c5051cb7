import { randomBytes } from 'node:crypto';
import WebSocket from 'ws';
import type { Body } from './chat.ts';
import { decodeFrame, encodeRequest, type Frame } from './codec.ts';
import { parseCookies } from './accounts.ts';
import type { Simulator } from './simulator.ts';

/** A bare client for the simulator's own tests: it sends what it is told, right or wrong. */
export class RawClient {
  readonly operations: Body[] = [];
  readonly frames: Frame[] = [];
  closed: { code: number; reason: string } | undefined;
  private seq = 0;

  private constructor(
    readonly socket: WebSocket,
    readonly cookie: string,
  ) {
    socket.on('message', (data, isBinary) => {
      if (isBinary) this.frames.push(decodeFrame(data as Buffer));
      else this.operations.push(JSON.parse(String(data)) as Body);
    });
    socket.on('close', (code, reason) => {
      this.closed = { code, reason: String(reason) };
    });
    socket.on('error', () => undefined);
  }

  /** The query as protocol §3 has it; `query` replaces it. */
  static async connect(sim: Simulator, options: { query?: string; cookie?: string; origin?: string } = {}): Promise<RawClient> {
    const session = [0, 1, 2, 3].map(() => randomBytes(2).toString('hex')).join('-');
    const query = options.query ?? `service=messenger-prod%3Aversion5*common%2Bversion5*main&session=${session}&client=web_main&user=${sim.me.uid}`;
    const cookie = options.cookie ?? sim.cookie;
    const socket = new WebSocket(`${sim.protocol.socketUrl}?${query}`, { headers: { Cookie: cookie, Origin: options.origin ?? sim.protocol.origin } });
    const client = new RawClient(socket, cookie);
    await new Promise<void>((resolve, reject) => {
      socket.on('unexpected-response', (_request, response) => reject(new Error(`HTTP ${response.statusCode}`)));
      socket.on('close', () => resolve());
      socket.on('message', () => resolve());
    });
    return client;
  }

  get subscriptionId(): string {
    return String(this.operations.find((operation) => operation['operation'] === 'subscribed')?.['subscription-id']);
  }

  /** Sends one request as it is (a RequestId is added unless the body brings its own key) and gives the frame that answers it. */
  async call(method: string, body: Body): Promise<Frame> {
    const hex = randomBytes(12).toString('hex');
    const RequestId = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 24)}`;
    const seq = (this.seq += 1);
    this.socket.send(encodeRequest(seq, method, { RequestId, ...body }));
    for (let i = 0; i < 200; i += 1) {
      const found = this.frames.find((frame) => frame.type !== 'push' && frame.seq === seq);
      if (found) return found;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    throw new Error(`no answer to ${method}`);
  }

  /** A push in the full envelope of protocol §6. */
  push(variant: Body): Promise<Frame> {
    return this.call('push', {
      ClientTransportId: { XivaSubscriptionId: this.subscriptionId },
      UserAgent: 'chats-web/3.22.0',
      ClientMessage: { ...variant, LogData: { YandexUid: parseCookies(this.cookie).get('yandexuid') } },
      Meta: { Origin: 27 },
      ClientSupportedFeatures: 0,
    });
  }

  close(): void {
    this.socket.terminate();
  }
}

/** One registry call with everything that protocol §5 asks for; `headers` overrides. */
export async function rawRegistry(
  sim: Simulator,
  method: string,
  params: Body,
  options: { cookie?: string; csrf?: string; headers?: Record<string, string>; form?: FormData } = {},
): Promise<{ status: number; body: Body }> {
  const form = options.form ?? new FormData();
  if (!options.form) form.append('request', JSON.stringify({ method, params }));
  const response = await fetch(sim.protocol.registryUrl, {
    method: 'POST',
    body: form,
    headers: {
      Cookie: options.cookie ?? sim.cookie,
      Accept: 'application/json',
      Referer: sim.urls.chat,
      ...(options.csrf ? { 'X-CSRF-TOKEN': options.csrf } : {}),
      ...options.headers,
    },
  });
  return { status: response.status, body: (await response.json()) as Body };
}

export async function rawCsrf(sim: Simulator, cookie = sim.cookie): Promise<string> {
  const response = await fetch(sim.protocol.csrfTokenUrl, { method: 'POST', headers: { Cookie: cookie } });
  return ((await response.json()) as { token: string }).token;
}
