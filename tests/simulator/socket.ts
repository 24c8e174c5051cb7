import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import { parseCookies, type Session } from './accounts.ts';
import type { Body, Chat, ChatEvent } from './chat.ts';
import { BadFrame, decodeFrame, encodeProxyStatus, encodePush, encodeResponse, isClientSection, type Frame } from './codec.ts';
import type { FaultAction } from './faults.ts';
import { newHex } from './ids.ts';
import { COMMITTED, messageInfoOf, planPush, RATE_LIMIT_EXCEEDED } from './push.ts';
import { ProxyFailure, ReadFailure, READS } from './reads.ts';
import { wireEvent } from './render.ts';
import type { SimState } from './state.ts';
import type { Person } from './world.ts';

const REQUEST_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{8}$/;
const BACKEND_CALL_ERROR = 2;
const PROTOCOL_ERROR = 1;
const CORRUPTED_DATA_HEADER = 4;
const BACKEND_NOT_FOUND = 5;
const INTERNAL_ERROR = 3;

interface Connection {
  id: number;
  socket: WebSocket;
  person: Person;
  session: Session;
  cookieHeader: string;
  subscriptionId: string;
  nextSeq: number;
  pings: NodeJS.Timeout;
}

/** The socket of protocol §3: the handshake, operations, and the three kinds of frames. */
export class SocketSide {
  private readonly server = new WebSocketServer({ noServer: true, maxPayload: 16 * 1024 * 1024 });
  readonly connections = new Map<number, Connection>();
  private nextId = 1;
  private recentPushes: number[] = [];

  constructor(private readonly state: SimState) {}

  /** Judges an upgrade request: exactly the query, headers and cookies of protocol §3. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const { log, settings, faults, accounts, origin } = this.state;
    const cookieHeader = request.headers.cookie ?? '';
    log.add({ channel: 'handshake', method: 'GET', params: { url: request.url ?? '' }, headers: headersOf(request), cookiesSent: cookieHeader });
    const fault = faults.take('handshake', 'GET');
    if (fault?.kind === 'http') return refuse(socket, fault.status);
    if (fault?.kind === 'drop') return void socket.destroy();
    if (fault?.kind === 'silence') return;
    const session = accounts.find(cookieHeader);
    const isAccepted = session?.isValid && session.person;
    if (!isAccepted && settings.socketRefusal !== 'close') return refuse(socket, settings.socketRefusal === 'http403' ? 403 : 401);
    const badOrigin = request.headers.origin !== origin;
    if (badOrigin) {
      log.violate(`handshake: Origin ${request.headers.origin ?? 'is missing'}`);
      return refuse(socket, 403);
    }
    const problem = this.queryProblem(request.url ?? '', session?.person);
    if (problem) log.violate(`handshake: ${problem}`);
    (socket as Duplex).cork();
    this.server.handleUpgrade(request, socket, head, (ws) => {
      if (problem) ws.close(4400, problem);
      else if (!isAccepted) ws.close(4401, 'cookie auth failed');
      else if (fault?.kind === 'close') ws.close(fault.code, fault.reason);
      else this.open(ws, session, session.person as Person, cookieHeader);
      socket.uncork();
    });
  }

  private queryProblem(url: string, person: Person | undefined): string | undefined {
    const raw = new Map((url.split('?')[1] ?? '').split('&').map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]));
    if (raw.get('service') !== `${this.state.settings.xivaServiceName}%3Aversion5*common%2Bversion5*main`) return 'invalid argument "service"';
    if (!/^[0-9a-f]{4}(-[0-9a-f]{4}){3}$/.test(raw.get('session') ?? '')) return 'invalid argument "session"';
    if (raw.get('client') !== 'web_main') return 'invalid argument "client"';
    if (!/^\d+$/.test(raw.get('user') ?? '') || (person && raw.get('user') !== person.uid)) return 'invalid argument "user"';
    const extra = [...raw.keys()].filter((key) => !['service', 'session', 'client', 'user'].includes(key));
    return extra.length ? `invalid argument "${extra[0]}"` : undefined;
  }

  private open(socket: WebSocket, session: Session, person: Person, cookieHeader: string): void {
    const { settings, log } = this.state;
    const subscriptionId = newHex(20);
    const ping = (): void => {
      if (!this.state.faults.arePingsStopped && socket.readyState === socket.OPEN) {
        socket.send(JSON.stringify({ operation: 'ping', 'server-interval-sec': settings.serverIntervalSec }));
      }
    };
    const connection: Connection = {
      id: this.nextId++,
      socket,
      person,
      session,
      cookieHeader,
      subscriptionId,
      nextSeq: 1,
      pings: setInterval(ping, settings.pingEveryMs || settings.serverIntervalSec * 1000),
    };
    this.connections.set(connection.id, connection);
    socket.on('message', (data, isBinary) => this.receive(connection, data as Buffer, isBinary));
    socket.on('ping', () => log.violate('the client sent a ping'));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearInterval(connection.pings);
      this.connections.delete(connection.id);
      log.changed();
    });
    // Right after the upgrade, in the same packet: who attaches listeners after `open` misses it.
    socket.send(JSON.stringify({ operation: 'subscribed', 'subscription-id': subscriptionId, event: 'subscribed', service: settings.xivaServiceName }));
    ping();
    log.changed();
  }

  private receive(connection: Connection, data: Buffer, isBinary: boolean): void {
    const { log } = this.state;
    if (!isBinary) {
      log.violate('the client sent a text frame');
      connection.socket.close(4400, 'unexpected text frame');
      return;
    }
    let frame: Frame;
    try {
      frame = decodeFrame(data);
    } catch (error) {
      log.violate(`bad frame: ${(error as Error).message}`);
      const { seq, badSection } = error as BadFrame;
      if (seq === undefined) return connection.socket.close(1003, 'bad frame');
      return connection.socket.send(encodeProxyStatus(seq, badSection ? CORRUPTED_DATA_HEADER : PROTOCOL_ERROR));
    }
    if (frame.type !== 'data') {
      log.violate(`the client sent a ${frame.type} frame`);
      return connection.socket.close(1003, 'bad frame');
    }
    const { seq, method, body } = frame;
    const answerProxy = (code: number, why: string): void => {
      log.violate(`${method}: ${why}`);
      connection.socket.send(encodeProxyStatus(seq, code));
    };
    if (frame.serviceIndex !== 0) return answerProxy(PROTOCOL_ERROR, `service index ${frame.serviceIndex}`);
    if (seq !== connection.nextSeq) return answerProxy(PROTOCOL_ERROR, `seq ${seq}, expected ${connection.nextSeq}`);
    connection.nextSeq += 1;
    if (!isClientSection(frame.section)) return answerProxy(CORRUPTED_DATA_HEADER, 'data section');
    const { RequestId, ...params } = body;
    log.add({ channel: 'socket', method, params, headers: {}, cookiesSent: '', connectionId: connection.id });
    if (typeof RequestId !== 'string' || !REQUEST_ID.test(RequestId)) return answerProxy(BACKEND_CALL_ERROR, 'RequestId');
    if (!connection.session.isValid) {
      connection.socket.send(JSON.stringify({ operation: 'unsubscribe' }));
      return connection.socket.close(4401, 'cookie auth failed');
    }
    const answer = (payload: Body): void => {
      connection.socket.send(encodeResponse(seq, method, { ...payload, RequestId }));
    };
    if (method === 'push') this.push(connection, seq, params, answer);
    else this.read(connection, seq, method, params, answer);
  }

  private read(connection: Connection, seq: number, method: string, params: Body, answer: (payload: Body) => void): void {
    const run = (): void => {
      const handler = READS[method];
      try {
        if (!handler) throw new ProxyFailure(BACKEND_NOT_FOUND);
        answer(handler(this.state, connection.person, params));
      } catch (error) {
        if (error instanceof ReadFailure) return answer({ Status: error.status, Details: error.details });
        if (error instanceof ProxyFailure) this.state.log.violate(`${method}: ${error.message}`);
        connection.socket.send(encodeProxyStatus(seq, error instanceof ProxyFailure ? error.errorCode : INTERNAL_ERROR));
        if (!(error instanceof ProxyFailure)) this.state.log.violate(`simulator error in ${method}: ${(error as Error).stack}`);
      }
    };
    const fault = this.state.faults.take('read', method, params);
    if (!fault) return run();
    if (fault.kind === 'delay') return void setTimeout(run, fault.ms);
    if (fault.kind === 'status') return answer({ Status: fault.status, Details: fault.details ?? 'a fault', ...waitOf(fault) });
    this.strike(connection, seq, method, fault, run);
  }

  private push(connection: Connection, seq: number, params: Body, answer: (payload: Body) => void): void {
    const { state } = this;
    const record = (status: number | undefined, isCommitted: boolean, proxyStatus?: number): void =>
      state.log.addPush({
        connectionId: connection.id,
        guid: connection.person.guid,
        clientMessage: (params['ClientMessage'] ?? {}) as Body,
        params,
        status,
        isCommitted,
        ...(proxyStatus === undefined ? {} : { proxyStatus }),
      });
    const fault = state.faults.take('push', variantOf(params), params);
    if (fault?.kind === 'proxy_status' && !fault.commit) {
      record(undefined, false, fault.status);
      return void connection.socket.send(encodeProxyStatus(seq, fault.status));
    }
    try {
      const yandexuid = parseCookies(connection.cookieHeader).get('yandexuid');
      const plan = planPush(state, connection.person, params, connection.subscriptionId, yandexuid);
      if (this.isOverRate(params)) {
        record(RATE_LIMIT_EXCEEDED, false);
        return answer({ Status: RATE_LIMIT_EXCEEDED, RateLimit: { WaitFor: state.settings.waitFor }, DebugInfo: {} });
      }
      const mayCommit = doesCommit(fault);
      const finish = (): void => {
        const message = mayCommit ? (plan.apply ? plan.apply() : plan.message) : undefined;
        const info = message ? { MessageInfo: messageInfoOf(message) } : {};
        const isCommitted = mayCommit && plan.status === COMMITTED;
        switch (fault?.kind) {
          case undefined:
          case 'delay':
            record(plan.status, isCommitted);
            return answer({ Status: plan.status, ...info, DebugInfo: {} });
          case 'status':
            record(fault.status, isCommitted);
            return answer({ Status: fault.status, ...info, ...waitOf(fault), DebugInfo: {} });
          case 'no_status':
            record(undefined, isCommitted);
            return answer({ ...info, DebugInfo: {} });
          default:
            record(undefined, isCommitted, fault?.kind === 'proxy_status' ? fault.status : undefined);
            this.strike(connection, seq, 'push', fault as FaultAction, () => undefined);
        }
      };
      if (fault?.kind === 'delay') setTimeout(finish, fault.ms);
      else finish();
    } catch (error) {
      const code = error instanceof ProxyFailure ? error.errorCode : INTERNAL_ERROR;
      state.log.violate(`push: ${error instanceof ProxyFailure ? error.message : (error as Error).stack}`);
      record(undefined, false, code);
      connection.socket.send(encodeProxyStatus(seq, code));
    }
  }

  private isOverRate(params: Body): boolean {
    const { pushesPerSecond } = this.state.settings;
    const variant = variantOf(params);
    if (pushesPerSecond === 0 || variant === 'Heartbeat' || variant === 'Typing') return false;
    const now = Date.now();
    this.recentPushes = this.recentPushes.filter((at) => now - at < 1000);
    if (this.recentPushes.length >= pushesPerSecond) return true;
    this.recentPushes.push(now);
    return false;
  }

  private strike(connection: Connection, seq: number, method: string, fault: FaultAction, run: () => void): void {
    const { socket } = connection;
    switch (fault.kind) {
      case 'drop':
        return socket.terminate();
      case 'close':
        return socket.close(fault.code, fault.reason);
      case 'proxy_status':
        return socket.send(encodeProxyStatus(seq, fault.status));
      case 'garbage': {
        const request = { RequestId: '00000000-0000-0000-00000000' };
        if (fault.form === 'text') return socket.send('{not json');
        if (fault.form === 'body') return socket.send(Buffer.concat([encodeResponse(seq, method, {}).subarray(0, -2), Buffer.from('{"a":')]));
        if (fault.form === 'request_id') return socket.send(encodeResponse(seq, method, request));
        if (fault.form === 'seq') return socket.send(encodeResponse(seq + 1000, method, request));
        return socket.send(Buffer.from([0x01, 0xc1, 0xff, 0x05, 0x05]));
      }
      case 'silence':
        return;
      default:
        run();
    }
  }

  /** Sends a live event to everybody who takes part in the chat. */
  broadcast(chat: Chat, body: Body): void {
    for (const connection of this.connections.values()) {
      if (chat.isVisibleTo(connection.person)) this.sendEvent(connection, body);
    }
  }
  /** Any body as a live event to every connection (also shapes nobody knows). */
  sendRaw(body: Body): void {
    for (const connection of this.connections.values()) this.sendEvent(connection, body);
  }
  /** Bytes as they are, to every connection. */
  sendBytes(bytes: Buffer | string): void {
    for (const { socket } of this.connections.values()) socket.send(bytes);
  }
  private sendEvent(connection: Connection, body: Body): void {
    const { socket, person } = connection;
    if (socket.readyState !== socket.OPEN) return;
    socket.send(encodePush(person.uid, this.state.settings.xivaServiceName, 'message', newHex(8), body));
  }
  /** A chat's change as the event that the web client gets. */
  announce(chat: Chat, event: ChatEvent): void {
    const { message, what } = event;
    if (what === 'reaction' || what === 'vote') {
      const key = what === 'reaction' ? 'Reaction' : 'Vote';
      this.broadcast(chat, {
        ClientMessage: { [key]: { ChatId: chat.id, Timestamp: message.ts } },
        ServerMessageInfo: { Timestamp: message.ts, SeqNo: message.seqNo, Version: message.version },
      });
    } else this.broadcast(chat, wireEvent(message));
  }

  /** The operation that voids the credentials of every connection (protocol §3, L/B). */
  unsubscribeAll(): void {
    this.sendBytes(JSON.stringify({ operation: 'unsubscribe' }));
  }
  /** Cuts every connection without a close frame. */
  dropAll(): void {
    for (const { socket } of this.connections.values()) socket.terminate();
  }
  closeAll(code: number, reason: string): void {
    for (const { socket } of this.connections.values()) socket.close(code, reason);
  }
  stop(): void {
    for (const { socket, pings } of this.connections.values()) {
      clearInterval(pings);
      socket.terminate();
    }
    this.server.close();
  }
}

function variantOf(params: Body): string {
  return Object.keys((params['ClientMessage'] ?? {}) as Body).find((key) => key !== 'LogData') ?? '';
}

function doesCommit(fault: FaultAction | undefined): boolean {
  if (!fault || fault.kind === 'delay') return true;
  if (fault.kind === 'status') return fault.commit ?? [1, 2, 9].includes(fault.status);
  return 'commit' in fault && fault.commit === true;
}

function waitOf(fault: { waitFor?: number | null }): Body {
  if (fault.waitFor === undefined) return {};
  return { RateLimit: fault.waitFor === null ? {} : { WaitFor: fault.waitFor } };
}

function headersOf(request: IncomingMessage): Record<string, string> {
  return Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
}

function refuse(socket: Duplex, status: number): void {
  socket.end(`HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
