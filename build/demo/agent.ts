import type { McpClient, ToolAnswer } from '../../tests/e2e/harness/client.ts';
import { tell } from './transcript.ts';

/** The reply that the scripted agent drafts. */
export const REPLY = 'Отчёт почти готов, пришлю черновик до шести 📎';

const POLL_MS = 1000;
/** Longer than the app itself keeps a confirm call waiting. */
const CALL_LIMIT_MS = 60_000;

/** One call, told as it goes out and as it comes back. */
async function call(agent: McpClient, tool: string, args: Record<string, unknown>): Promise<ToolAnswer> {
  tell('agent', `→ ${tool} ${JSON.stringify(args)}`);
  const answer = await agent.call(tool, args, CALL_LIMIT_MS);
  tell('agent', `← ${answer.isError ? 'error ' : ''}${JSON.stringify(answer.data)}`);
  return answer;
}

function expectSuccess(answer: ToolAnswer, tool: string): Record<string, unknown> {
  if (answer.isError) throw new Error(`${tool} failed: ${answer.text}`);
  return answer.data;
}

/** What the agent learns about the session: at once, whatever its state. */
export async function askForStatus(agent: McpClient): Promise<void> {
  expectSuccess(await call(agent, 'session_status', {}), 'session_status');
}

/** Asks until somebody is signed in; every single call returns at once, as design §2 promises. */
export async function waitForSession(agent: McpClient, shouldGoOn: () => boolean): Promise<void> {
  while (shouldGoOn()) {
    const answer = await agent.call('list_chats', { limit: 1 });
    if (!answer.isError) return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** Lists, reads, drafts, and waits for the person. @returns the last status that the agent was told */
export async function play(agent: McpClient, chat: string, shouldGoOn: () => boolean): Promise<string> {
  await askForStatus(agent);
  const chats = expectSuccess(await call(agent, 'list_chats', {}), 'list_chats');
  if (!Array.isArray(chats['chats']) || chats['chats'].length === 0) throw new Error('list_chats found no chat');
  expectSuccess(await call(agent, 'get_history', { chat, limit: 10 }), 'get_history');

  const message = { chat, text: REPLY };
  const draft = expectSuccess(await call(agent, 'send_message', message), 'send_message');
  if (draft['status'] !== 'draft') throw new Error(`the draft came back as ${String(draft['status'])}`);
  const confirmation = { ...message, confirm: true, confirm_token: draft['confirm_token'] };
  for (;;) {
    const outcome = await call(agent, 'send_message', confirmation);
    const status = String(outcome.data['status']);
    if (status !== 'pending_approval' || !shouldGoOn()) return status;
    tell('agent', '(nothing is sent yet; asking the person, and then asking again)');
  }
}
