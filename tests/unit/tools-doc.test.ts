import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { listTools, TOOLS } from '../../app/mcp/server.ts';
import { TOOLS_DOC_PATH, toolsDoc } from '../docs/tools-doc.ts';

it('docs/tools.md is what the schemas say (npx tsx tests/docs/tools-doc.ts writes it anew)', async () => {
  const doc = readFileSync(TOOLS_DOC_PATH, 'utf8');
  expect(doc).toBe(await toolsDoc());
  for (const tool of TOOLS) expect(doc).toContain(`## ${tool.name}\n`);
});

/** Parameters, defaults and bounds of the seed's reading tools. */
const SEED: Readonly<Record<string, Readonly<Record<string, { default?: unknown; minimum?: number; maximum?: number; required?: true }>>>> = {
  list_chats: { limit: { default: 50, minimum: 1, maximum: 500 }, unread_only: { default: false }, include_last_message_text: { default: false } },
  get_history: { chat: { required: true }, limit: { default: 40, minimum: 1, maximum: 200 }, before: {}, from_date: {}, to_date: {}, after: {} },
  get_message: { chat: {}, message_id: {}, url: {}, with_reactions: { default: true } },
  get_message_context: {
    chat: { required: true },
    message_id: { required: true },
    before: { default: 10, minimum: 0, maximum: 200 },
    after: { default: 10, minimum: 0, maximum: 200 },
  },
  search: { query: { required: true }, entities: { default: ['messages', 'users', 'chats'] }, limit: { default: 50 } },
  list_reactions: { chat: { required: true }, message_id: { required: true }, limit: { default: 50 }, invite_hash: {} },
  get_poll: { chat: { required: true }, message_id: { required: true } },
  get_thread: { thread_id: {}, chat: {}, message_id: {}, limit: { default: 40, minimum: 1, maximum: 200 }, before: {} },
  download_attachment: { file_id: { required: true }, chat_id: {}, size: {} },
};

it.each(Object.entries(SEED))('%s takes what the seed documents', (name, parameters) => {
  const tool = listTools().find((each) => each.name === name)!;
  const schema = tool.inputSchema as { properties: Record<string, Record<string, unknown>>; required?: string[] };
  for (const [parameter, wanted] of Object.entries(parameters)) {
    const { required, ...facts } = wanted;
    expect(schema.properties[parameter], `${name}.${parameter}`).toMatchObject(facts);
    if (required) expect(schema.required).toContain(parameter);
  }
});

it('tools that give messages have detail, compact by default', () => {
  for (const name of ['get_history', 'get_message', 'get_message_context', 'search', 'get_thread', 'get_unread', 'list_threads', 'get_chat_info']) {
    const tool = listTools().find((each) => each.name === name)!;
    expect((tool.inputSchema.properties as Record<string, unknown>)['detail'], name).toMatchObject({ enum: ['compact', 'full'], default: 'compact' });
  }
});
