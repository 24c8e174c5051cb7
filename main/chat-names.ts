import type { Draft } from '../app/approvals/index.ts';

/** Names of chats seen in this run, for showing the journal: it keeps ids only. */
export class ChatNames {
  private readonly names = new Map<string, string>();

  get(id: string): string | undefined {
    return this.names.get(id);
  }

  learn(chats: readonly { readonly id: string; readonly name: string | null }[]): void {
    for (const { id, name } of chats) if (name !== null) this.names.set(id, name);
  }

  learnFrom(draft: Draft): void {
    if (draft.chat.name !== undefined) this.names.set(draft.chat.id, draft.chat.name);
  }
}
