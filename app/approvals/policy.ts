import type { AccessMode, ChatAccess } from './types.ts';

/** What the person allows (design §4). Held by the app, changed only by the person, asked by every tool call. */
export interface PolicyState {
  readonly mode: AccessMode;
  /** Access of chats nobody decided about. */
  readonly defaultAccess: ChatAccess;
  /** Chat id → the person's choice. */
  readonly chats: Readonly<Record<string, ChatAccess>>;
}

export interface PolicyStore {
  read(): PolicyState;
  write(state: PolicyState): void;
}

export const OPEN_POLICY: PolicyState = { mode: 'full', defaultAccess: 'default', chats: {} };

export class Policy {
  #state: PolicyState;
  readonly #listeners = new Set<() => void>();

  /** @param parentOf maps a thread's id to its chat's, any other id to itself: a thread is governed by its chat. */
  constructor(
    private readonly store: PolicyStore,
    private readonly parentOf: (chatId: string) => string,
  ) {
    this.#state = store.read();
  }

  get mode(): AccessMode {
    return this.#state.mode;
  }

  get chats(): Readonly<Record<string, ChatAccess>> {
    return this.#state.chats;
  }

  setMode(mode: AccessMode): void {
    this.#update({ ...this.#state, mode });
  }

  setDefaultAccess(defaultAccess: ChatAccess): void {
    this.#update({ ...this.#state, defaultAccess });
  }

  /** `default` removes the choice, so that the chat follows the general one. */
  setAccess(chatIds: readonly string[], access: ChatAccess): void {
    const chats = Object.fromEntries(Object.entries(this.#state.chats).filter(([chatId]) => !chatIds.includes(chatId)));
    if (access !== 'default') for (const chatId of chatIds) chats[chatId] = access;
    this.#update({ ...this.#state, chats });
  }

  /** The access in force: the chat's own choice, else its parent's, else the general one. A thread of a hidden chat is hidden, whatever else. */
  accessOf(chatId: string): ChatAccess {
    const { chats, defaultAccess } = this.#state;
    const choiceFor = (id: string) => (Object.hasOwn(chats, id) ? chats[id] : undefined);
    const ofParent = choiceFor(this.parentOf(chatId));
    return ofParent === 'hidden' ? 'hidden' : (choiceFor(chatId) ?? ofParent ?? defaultAccess);
  }

  isHidden(chatId: string): boolean {
    return this.accessOf(chatId) === 'hidden';
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #update(state: PolicyState): void {
    this.store.write(state);
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }
}
