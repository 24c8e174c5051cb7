import net from 'node:net';
import type { Endpoint } from './endpoint.ts';
import { BridgeError, systemCode } from './errors.ts';
import { greetApp, HANDSHAKE_LINE_BYTES, HANDSHAKE_TIMEOUT_MS, MESSAGE_LINE_BYTES } from './handshake.ts';
import { LineChannel } from './line-channel.ts';

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
  const channel = new LineChannel(socket, HANDSHAKE_LINE_BYTES);
  const timer = setTimeout(
    () => channel.destroy(new BridgeError('no_answer', 'Vestnik runs, but does not answer.', 'Quit Vestnik and start it again.')),
    timeoutMs,
  );
  try {
    await new Promise<void>((resolve, reject) => {
      channel.onClose(reject);
      socket.once('error', (error) => reject(connectError(error)));
      socket.once('connect', resolve);
    });
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
