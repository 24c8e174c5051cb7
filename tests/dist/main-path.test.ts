import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { testBuild } from '../../build/packaging/packed-paths.mjs';
import { makeTestBuild } from '../../build/packaging/test-build.mjs';
import { killApp, launchApp, type LaunchedApp, mcpClient, type McpClient, screenshot, temporaryFolder, waitFor } from '../e2e/harness/index.ts';
import { invoke, signIn, windows } from '../e2e/session-support.ts';
import { startSimulator, type Simulator } from '../simulator/index.ts';

// From the packed files, in the build whose inspect fuse is on: what a person does from the first start to the sent message.

const TEXT = 'Из установленной программы: всё на месте 🪶';

let simulator: Simulator;
let app: LaunchedApp | undefined;
let agent: McpClient | undefined;

beforeAll(makeTestBuild);
beforeEach(async () => {
  simulator = await startSimulator({ world: 'demo' });
});
afterEach(async () => {
  await agent?.close();
  await killApp(app);
  await simulator.stop();
});

it.runIf(process.platform === 'linux')('from the packed files a person signs in, an agent drafts, the click sends, and a link opens only a card', async () => {
  const userData = temporaryFolder();
  app = await launchApp({ userData, protocol: { ...simulator.protocol }, packedBinary: testBuild.binary });
  expect(await app.electron.evaluate(({ app: electron }) => electron.isPackaged)).toBe(true);
  const window = await signIn(app);

  agent = await mcpClient({ userData, shim: path.join(userData, 'shim/vestnik-mcp.cjs') });
  const listed = await agent.call('list_chats');
  const chatId = (listed.data['chats'] as { chat_id: string }[])[0]?.chat_id ?? '';
  const args = { chat: chatId, text: TEXT };
  const drafted = await agent.call('send_message', args);
  expect(drafted).toMatchObject({ isError: false, data: { status: 'draft', chat_id: chatId } });
  const [card] = await invoke(window, 'drafts:list');
  expect(card).toMatchObject({ status: 'pending', text: TEXT });

  // A link from anywhere shows the card. It confirms nothing.
  await app.electron.evaluate(({ app: electron }, id) => electron.emit('second-instance', {}, ['vestnik', `vestnik://draft/${id}`], ''), card?.id ?? '');
  await window.locator(`[data-draft-id="${card?.id}"]`).first().waitFor();
  expect(simulator.pushesOf('Plain')).toEqual([]);
  await screenshot(window, 'packed-draft');

  const waiting = agent.call('send_message', { ...args, confirm: true, confirm_token: String(drafted.data['confirm_token']) });
  await window
    .locator('[data-draft-id][data-status="pending"][data-guard="open"]')
    .getByRole('button', { name: /^(confirm sending|подтвердить отправку|отправить)/i })
    .first()
    .click();
  expect((await waiting).data).toMatchObject({ status: 'sent', chat_id: chatId });
  expect(simulator.pushesOf('Plain')).toHaveLength(1);
  expect(simulator.pushesOf('Plain')[0]?.clientMessage['Plain']).toMatchObject({ ChatId: chatId, Text: { MessageText: TEXT } });

  expect((await windows(app)).filter(({ url }) => url.startsWith('app://'))).toHaveLength(1);
  await app.quit();
  await waitFor(() => !fs.existsSync(path.join(userData, 'bridge.json')), { what: 'the endpoint file to go' });
  expect(simulator.violations).toEqual([]);
});
