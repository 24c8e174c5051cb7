import { afterEach, beforeEach, expect, it } from 'vitest';
import { startSimulator, type Simulator } from '../simulator/index.ts';
import { appWindow, killApp, launchApp, mcpClient, screenshot, temporaryFolder, type LaunchedApp, type McpClient } from './harness/index.ts';

let simulator: Simulator;
let app: LaunchedApp | undefined;
let agent: McpClient | undefined;

beforeEach(async () => {
  simulator = await startSimulator({ world: 'demo' });
});
afterEach(async () => {
  await agent?.close();
  await killApp(app);
  await simulator.stop();
});

it('the app starts, shows its window and tells an agent at once that nobody is signed in', async () => {
  const userData = temporaryFolder();
  app = await launchApp({ userData, protocol: { ...simulator.protocol } });
  const window = await appWindow(app);
  await window
    .getByRole('button', { name: /^(sign in|войти)/i })
    .first()
    .waitFor();
  await screenshot(window, 'first-start');

  agent = await mcpClient({ userData });
  const { tools } = await agent.client.listTools();
  expect(tools.map((tool) => tool.name)).toEqual(expect.arrayContaining(['session_status', 'list_chats', 'get_history', 'send_message']));
  const answer = await agent.call('list_chats');
  expect(answer).toMatchObject({ isError: true, data: { code: 'not_signed_in' } });
  expect(simulator.log.filter((entry) => entry.channel === 'registry')).toEqual([]);
  await app.quit();
});
