import type { Policy } from '../app/approvals/index.ts';
import type { ChatRow } from '../app/ipc/contract.ts';
import type { Json, JsonObject, Wire } from '../app/wire/api.ts';

const MICROSECONDS_PER_MILLISECOND = 1000;

/**
 * Every chat of the person, hidden ones too: this list is for the window, where the person decides what agents see, so it must not pass
 * through the visibility that the messenger applies for agents. One `history` with Limit 1 (protocol §4, L).
 */
export async function listChats(wire: Wire, policy: Policy, signal: AbortSignal): Promise<ChatRow[]> {
  const answer = await wire.read('history', { Limit: 1, ChatDataFilter: {} }, { signal });
  const myGuid = wire.identity?.guid;
  const chats = Array.isArray(answer['Chats']) ? (answer['Chats'] as readonly Json[]) : [];
  return chats
    .map((chat) => chatRow(chat, myGuid, policy))
    .filter((row) => row !== undefined)
    .sort((a, b) => (b.lastActivity ?? 0) - (a.lastActivity ?? 0));
}

/** One entry of `Chats[]`; undefined for one without an id. */
export function chatRow(chat: Json, myGuid: string | undefined, policy: Pick<Policy, 'accessOf'>): ChatRow | undefined {
  const entry = asObject(chat);
  const id = entry?.['ChatId'];
  if (!entry || typeof id !== 'string' || id === '') return undefined;
  const info = asObject(entry['ChatInfo']);
  const partner = asObject(entry['PartnerInfo']);
  const isPrivate = asObject(entry['PrivateChatInfo']) !== undefined;
  const kind = isPrivate && myGuid !== undefined && partner?.['Guid'] === myGuid ? 'self' : kindOf(id, isPrivate);
  const lastMcs = entry['LastTsMcs'];
  return {
    id,
    name: text(isPrivate ? partner?.['DisplayName'] : info?.['Name']) ?? text(info?.['Name']) ?? text(partner?.['DisplayName']),
    kind,
    access: policy.accessOf(id),
    lastActivity: typeof lastMcs === 'number' && lastMcs > 0 ? Math.floor(lastMcs / MICROSECONDS_PER_MILLISECOND) : null,
    hint: isPrivate ? text(partner?.['Nickname']) : null,
  };
}

function kindOf(id: string, isPrivate: boolean): string {
  if (isPrivate || !id.includes('/')) return 'private';
  const prefix = id.split('/', 1)[0] ?? '';
  return ({ '0': 'group', '1': 'channel', '2': 'business' } as const)[prefix] ?? (/^1\d\d$/.test(prefix) ? 'thread' : 'unknown');
}

function asObject(value: Json | undefined): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
}

function text(value: Json | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
