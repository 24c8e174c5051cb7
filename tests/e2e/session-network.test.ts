import { afterEach, beforeEach, expect, it } from 'vitest';
import { startSimulator, type Simulator } from '../simulator/index.ts';
import { killApp, launchApp, type LaunchedApp, mcpClient, temporaryFolder, waitFor } from './harness/index.ts';
import { startForwardProxy, type ForwardProxy } from './http-proxy.ts';
import { invoke, signIn, waitForState } from './session-support.ts';

let simulator: Simulator;
let app: LaunchedApp | undefined;
let proxy: ForwardProxy | undefined;
let userData: string;

beforeEach(async () => {
  simulator = await startSimulator({ world: 'demo' });
  userData = temporaryFolder();
});
afterEach(async () => {
  await killApp(app);
  await proxy?.stop();
  proxy = undefined;
  await simulator.stop();
});

it('behind a proxy the page, the registry and the socket all go through it', async () => {
  proxy = await startForwardProxy();
  // Chromium leaves loopback out of proxies unless told otherwise.
  const args = [`--proxy-server=http://127.0.0.1:${proxy.port}`, '--proxy-bypass-list=<-loopback>'];
  app = await launchApp({ userData, protocol: { ...simulator.protocol }, args });
  await signIn(app);
  const agent = await mcpClient({ userData });
  const { data } = await agent.call('list_chats');
  expect((data['chats'] as unknown[]).length).toBeGreaterThan(5);
  await agent.close();
  const socketHost = new URL(simulator.protocol.socketUrl ?? '').host;
  expect(proxy.seen).toContain(`CONNECT ${socketHost}`);
  expect(proxy.seen).toContain(`GET ${new URL(simulator.protocol.messengerPageUrl ?? '').pathname}`);
  expect(proxy.seen).toContain(`POST ${new URL(simulator.protocol.registryUrl ?? '').pathname}`);
  expect(simulator.violations).toEqual([]);
});

it('asleep the app holds no connection, and awake it is back with a new one', async () => {
  app = await launchApp({ userData, protocol: { ...simulator.protocol } });
  const window = await signIn(app);
  const sockets = () => simulator.log.filter(({ channel }) => channel === 'handshake').length;
  await waitFor(() => sockets() > 0, { what: 'the socket' });
  const before = sockets();
  await app.electron.evaluate(({ powerMonitor }) => powerMonitor.emit('suspend'));
  await waitFor(async () => (await invoke(window, 'session:get')).state !== 'online', { what: 'the connection to be put down' });
  expect(sockets()).toBe(before);
  await app.electron.evaluate(({ powerMonitor }) => powerMonitor.emit('resume'));
  await waitForState(window, 'online');
  expect(sockets()).toBeGreaterThan(before);
});
