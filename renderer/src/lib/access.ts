import type { ChatRow } from '../../../app/ipc/contract.ts';
import type { MessageKey } from '../i18n/en.ts';

export type Access = ChatRow['access'];

/** From the least an agent may do to the most. */
export const ACCESSES: readonly Access[] = ['hidden', 'read_only', 'default', 'agent_confirms'];

export const ACCESS_NAMES = {
  hidden: 'access.hidden',
  read_only: 'access.read_only',
  default: 'access.default',
  agent_confirms: 'access.agent_confirms',
} as const satisfies Record<Access, MessageKey>;

/** The consequence of each choice in one sentence. */
export const ACCESS_CONSEQUENCES = {
  hidden: 'access.explain.hidden',
  read_only: 'access.explain.read_only',
  default: 'access.explain.default',
  agent_confirms: 'access.explain.agent_confirms',
} as const satisfies Record<Access, MessageKey>;

/** Rows whose name, hint or id holds every word of the query, whatever the case. */
export function searchChats(rows: readonly ChatRow[], query: string): ChatRow[] {
  const words = query.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter((row) => {
    const text = `${row.name ?? ''} ${row.hint ?? ''} ${row.id}`.toLocaleLowerCase();
    return words.every((word) => text.includes(word));
  });
}
