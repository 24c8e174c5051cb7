import net from 'node:net';
import type { Endpoint } from './endpoint.ts';
import { BridgeError, systemCode } from './errors.ts';
import { greetApp, HANDSHAKE_LINE_BYTES, HANDSHAKE_TIMEOUT_MS, MESSAGE_LINE_BYTES } from './handshake.ts';
import { LineChannel } from './line-channel.ts';

const SILENT = 'Vestnik runs, but does not answer.';
const QUIT_AND_START = 'Quit Vestnik and start it again.';

/** A proved connection to the app. */
export interface AppConnection {
  readonly channel: LineChannel;
  readonly appVersion: string;
}

/**
 * Connects to the app that published `endpoint` and goes through the handshake.
 * @param timeoutMs for everything together
 * @throws BridgeError `absent` if nothing listens there, `no_answer` if something does and stays silent or is full, else see `greetApp`
 */
export async function connectToApp(endpoint: Endpoint, shimVersion: string, timeoutMs = HANDSHAKE_TIMEOUT_MS): Promise<AppConnection> {
  const socket = net.connect(endpoint.socket);
  // Before the channel, whose own listener only knows that the connection has ended.
  const connected = new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', (error) => reject(connectError(error)));
    socket.once('close', () => reject(new BridgeError('no_answer', SILENT, QUIT_AND_START)));
  });
  const channel = new LineChannel(socket, HANDSHAKE_LINE_BYTES);
  const timer = setTimeout(() => channel.destroy(new BridgeError('no_answer', SILENT, QUIT_AND_START)), timeoutMs);
  try {
    await connected;
    const { appVersion } = await greetApp(channel, endpoint.secret, shimVersion);
    channel.maxLineBytes = MESSAGE_LINE_BYTES;
    return { channel, appVersion };
  } catch (error) {
    channel.destroy();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** ECONNREFUSED and ENOENT are a dead socket; EAGAIN and EBUSY a live one with a full queue. */
function connectError(error: Error): BridgeError {
  const code = systemCode(error);
  if (code === 'EAGAIN' || code === 'EBUSY' || code === 'EMFILE') return new BridgeError('no_answer', 'Vestnik is too busy to answer.');
  return new BridgeError('absent', 'Vestnik is not running.');
}
