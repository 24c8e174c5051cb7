/** What every reading service shares: who I am, what is hidden, how a message is normalised, and two small memories. */
import type { JsonObject } from '../../wire/index.ts';
import type { Call, MessengerPorts } from '../api.ts';
import { compareMessageIds, parentChatId } from '../ids.ts';
import { messageLink } from '../links.ts';
import type { Attachment, Message } from '../model.ts';
import { normaliseMessage, type NormaliseContext } from '../normalise/message.ts';

/** How many file names are remembered for downloads. */
const FILE_NAMES_KEPT = 5000;

export class ReadingBase {
  readonly #fileNames = new Map<string, string>();
  /** Invite hash of a chat, for links into its threads; null when it has none. */
  readonly inviteHashes = new Map<string, string | null>();

  constructor(readonly ports: MessengerPorts) {}

  /** My guid; signs in where needed. @throws NotSignedInError at once without a session */
  async myGuid(call: Call): Promise<string> {
    return (this.ports.wire.identity ?? (await this.ports.wire.connect(call))).guid;
  }

  /** A thread is hidden with its chat (design §4). */
  isHidden(chatId: string): boolean {
    return this.ports.visibility.isHidden(chatId) || this.ports.visibility.isHidden(parentChatId(chatId));
  }

  normaliseContext(myGuid: string): NormaliseContext {
    const settings = this.ports.settings();
    return {
      myGuid,
      timeZone: settings.timeZone,
      isHidden: (chatId) => this.isHidden(chatId),
      linkOf: (chatId, messageId) => messageLink(settings.messengerPageUrl, chatId, messageId, this.inviteHashes.get(parentChatId(chatId)) ?? undefined),
      onAttachments: (attachments) => this.#rememberNames(attachments),
    };
  }

  /** Messages of one chat, oldest first, each once. One that carries no timestamp has no id and is left out, which the log counts. */
  normaliseAll(servers: readonly JsonObject[], chatId: string, myGuid: string): Message[] {
    const context = this.normaliseContext(myGuid);
    const byId = new Map<string, Message>();
    for (const server of servers) {
      const message = normaliseMessage(server, chatId, context);
      if (message) byId.set(message.id, message);
    }
    if (byId.size < servers.length) this.ports.log.warn('messages_left_out', { count: servers.length - byId.size });
    return [...byId.values()].sort((a, b) => compareMessageIds(a.id, b.id));
  }

  normaliseOne(server: JsonObject, chatId: string | undefined, myGuid: string): Message | undefined {
    return normaliseMessage(server, chatId, this.normaliseContext(myGuid));
  }

  /** Name of a file some message carried (`FileInfo.Name`, which wins over Content-Disposition; protocol §6, L). */
  fileName(fileId: string): string | undefined {
    return this.#fileNames.get(fileId);
  }

  #rememberNames(attachments: readonly Attachment[]): void {
    for (const { file_id: fileId, name } of attachments) {
      if (fileId === undefined || name === undefined) continue;
      this.#fileNames.delete(fileId);
      this.#fileNames.set(fileId, name);
      if (this.#fileNames.size > FILE_NAMES_KEPT) this.#fileNames.delete(this.#fileNames.keys().next().value!);
    }
  }
}
