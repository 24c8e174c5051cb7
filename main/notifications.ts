import { Notification } from 'electron';
import { type Language, wordsFor } from './words.ts';

/** What a notification says; pure, so that the rule "no text unless allowed" can be tested. */
export interface NotificationText {
  readonly title: string;
  readonly body: string;
}

const MAX_TEXT = 120; // systems cut longer ones anyway

/** For a new draft: what is to be done where, and the text only where the person allows it. */
export function draftNotification(
  draft: { tool: string; chatName: string | undefined; text: string | undefined },
  isTextAllowed: boolean,
  language: Language,
): NotificationText {
  const words = wordsFor(language);
  const verbs: Partial<Record<string, string>> = words.draftBody;
  const body = (verbs[draft.tool] ?? words.draftBody.write).replace('{chat}', () => draft.chatName ?? words.unnamedChat);
  if (!isTextAllowed || !draft.text) return { title: words.draftTitle, body };
  const points = [...draft.text];
  return { title: words.draftTitle, body: `${body}\n${points.length > MAX_TEXT ? `${points.slice(0, MAX_TEXT).join('')}…` : draft.text}` };
}

export function signInNotification(language: Language): NotificationText {
  const words = wordsFor(language);
  return { title: words.signInTitle, body: words.signInBody };
}

/** Shows notifications and keeps them alive until they are gone: one that is collected loses its click. */
export class Notifier {
  private readonly shown = new Map<string, Notification>();

  constructor(private readonly isAllowed: () => boolean) {}

  /** @param key a later one with the same key replaces this one */
  show(key: string, text: NotificationText, onClick: () => void): void {
    if (!this.isAllowed() || !Notification.isSupported()) return;
    this.dismiss(key);
    const notification = new Notification({ title: text.title, body: text.body });
    this.shown.set(key, notification);
    const forget = (): void => {
      if (this.shown.get(key) === notification) this.shown.delete(key);
    };
    notification.on('click', () => {
      forget();
      onClick();
    });
    notification.on('failed', forget);
    notification.show();
  }

  /** Takes a notification back: its draft has been decided. */
  dismiss(key: string): void {
    this.shown.get(key)?.close();
    this.shown.delete(key);
  }

  dismissAll(): void {
    for (const key of [...this.shown.keys()]) this.dismiss(key);
  }
}
