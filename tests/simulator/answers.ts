import type { WebSocket } from 'ws';
import { parseCookies, type Session } from './accounts.ts';
import type { Body, SimMessage } from './chat.ts';
import { encodeProxyStatus, encodeResponse } from './codec.ts';
import type { FaultAction } from './faults.ts';
import { COMMITTED, messageInfoOf, planPush, RATE_LIMIT_EXCEEDED } from './push.ts';
import { ProxyFailure, ReadFailure, READS } from './reads.ts';
import type { SimState } from './state.ts';
import type { Person } from './world.ts';

const INTERNAL_ERROR = 3;
const BACKEND_NOT_FOUND = 5;

export interface Connection {
  id: number;
  socket: WebSocket;
  person: Person;
  session: Session;
  cookieHeader: string;
  subscriptionId: string;
  nextSeq: number;
  pings: NodeJS.Timeout;
}

/** Answers the requests of a connection, with whatever fault strikes them. */
export class Answers {
  private recentPushes: number[] = [];

  constructor(private readonly state: SimState) {}

  read(connection: Connection, seq: number, method: string, params: Body, answer: (payload: Body) => void): void {
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

  push(connection: Connection, seq: number, params: Body, answer: (payload: Body) => void): void {
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
      const write = (): SimMessage | undefined => (mayCommit ? (plan.apply ? plan.apply() : plan.message) : undefined);
      const written = fault?.kind === 'delay' && fault.isCommittedFirst ? { message: write() } : undefined;
      const finish = (): void => {
        const message = written ? written.message : write();
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
