import { z } from 'zod';
import type { PolicyState, PolicyStore } from '../../app/approvals/index.ts';
import { chatAccessSchema } from '../../app/ipc/contract.ts';
import { JsonFile, type StoreNotice } from './json-file.ts';
import type { SettingsStore } from './settings.ts';

const access = z.record(z.string(), chatAccessSchema);

/** What the person allows: mode and default stand in the settings, the choices per chat in a file of their own. */
export class FilePolicyStore implements PolicyStore {
  private readonly file: JsonFile;
  private chats: PolicyState['chats'];
  readonly notices: readonly StoreNotice[];

  constructor(
    folder: string,
    private readonly settings: SettingsStore,
  ) {
    this.file = new JsonFile(folder, 'chat-access', 'chat_access_broken');
    const result = access.safeParse(this.file.all());
    // A choice that cannot be read must not open a chat that was hidden: the readable ones hold, an unknown value counts as hidden.
    this.chats = result.success
      ? result.data
      : Object.fromEntries(Object.entries(this.file.all()).map(([id, value]) => [id, chatAccessSchema.catch('hidden').parse(value)]));
    this.notices = result.success ? this.file.notices : [...this.file.notices, { code: 'chat_access_broken', detail: this.file.path }];
  }

  read(): PolicyState {
    const { mode, defaultAccess } = this.settings.get();
    return { mode, defaultAccess, chats: this.chats };
  }

  write(state: PolicyState): void {
    if (state.chats !== this.chats) {
      this.file.replace(state.chats);
      this.chats = state.chats;
    }
    const { mode, defaultAccess } = this.settings.get();
    // The settings offer no "agent may confirm" for all chats at once: that is a choice per chat.
    const wanted = state.defaultAccess === 'agent_confirms' ? 'default' : state.defaultAccess;
    if (mode !== state.mode || defaultAccess !== wanted) this.settings.update({ mode: state.mode, defaultAccess: wanted });
  }
}
