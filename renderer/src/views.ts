import type { EventPayload } from '../../app/ipc/contract.ts';

export type View = EventPayload<'navigate'>['view'];
export type Section = Exclude<View, 'welcome'>;

export const SECTIONS: readonly Section[] = ['drafts', 'activity', 'chats', 'connect', 'settings'];
