import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import type { Session } from './accounts.ts';
import { Answers, type Connection } from './answers.ts';
import type { Body, Chat, ChatEvent } from './chat.ts';
import { type BadFrame, decodeFrame, encodeProxyStatus, encodePush, encodeResponse, isClientSection, type Frame } from './codec.ts';
import { newHex } from './ids.ts';
import { wireEvent } from './render.ts';
import type { SimState } from './state.ts';
import type { Person } from './world.ts';

const REQUEST_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{8}$/;
const BACKEND_CALL_ERROR = 2;
const PROTOCOL_ERROR = 1;
const CORRUPTED_DATA_HEADER = 4;

/** The socket of protocol §3: the handshake, operations, and the three kinds of frames. */
export class SocketSide {
  private readonly server = new WebSocketServer({ noServer: true, maxPayload: 16 * 1024 * 1024 });
  readonly connections = new Map<number, Connection>();
  private nextId = 1;
  private readonly answers: Answers;

  constructor(private readonly state: SimState) {
    this.answers = new Answers(state);
  }

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
    const subscribed = (): void => {
      if (socket.readyState !== socket.OPEN) return;
      socket.send(JSON.stringify({ operation: 'subscribed', 'subscription-id': subscriptionId, event: 'subscribed', service: settings.xivaServiceName }));
      ping();
    };
    if (settings.subscribedDelayMs > 0) setTimeout(subscribed, settings.subscribedDelayMs);
    else subscribed();
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
    if (method === 'push') this.answers.push(connection, seq, params, answer);
    else this.answers.read(connection, seq, method, params, answer);
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

function headersOf(request: IncomingMessage): Record<string, string> {
  return Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
}

function refuse(socket: Duplex, status: number): void {
  socket.end(`HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
