import type { WebContents } from 'electron';
import type { Core } from '../app/core.ts';
import type { EventChannel, EventPayload, SessionView } from '../app/ipc/contract.ts';
import { coalesce } from './broadcast.ts';
import type { ChatNames } from './chat-names.ts';
import type { CoreHost } from './core-host.ts';
import { sendEvent } from './ipc.ts';
import { draftNotification, type Notifier } from './notifications.ts';
import type { Notices } from './stores/notices.ts';
import type { SettingsStore } from './stores/settings.ts';
import type { Language } from './words.ts';

export interface AnnouncerDeps {
  readonly host: CoreHost;
  readonly settings: SettingsStore;
  readonly notices: Notices;
  readonly notifier: Notifier;
  readonly chatNames: ChatNames;
  readonly language: () => Language;
  readonly view: () => SessionView;
  readonly contents: () => WebContents | undefined;
  readonly renderTray: () => void;
  readonly openDraft: (draftId: string) => void;
}

/** Tells window, tray and desktop what changed. Holds no state of its own but which drafts have been announced. */
export class Announcer {
  private readonly announced = new Set<string>();
  private readonly draftsChanged = coalesce(() => {
    this.send('drafts:changed', null);
    this.deps.renderTray();
  });
  private readonly activityChanged = coalesce(() => this.send('activity:changed', null), 200);
  private readonly clientsChanged = coalesce(() => this.send('clients:changed', null));
  private readonly undo: (() => void)[] = [];
  private isClosed = false;
  readonly sessionChanged = coalesce(() => {
    if (this.isClosed) return;
    this.send('session:changed', this.deps.view());
    this.deps.renderTray();
  });

  constructor(private readonly deps: AnnouncerDeps) {}

  start(): void {
    const { host, settings, notices } = this.deps;
    for (const draft of host.core.approvals.list()) {
      this.announced.add(draft.id);
      this.deps.chatNames.learnFrom(draft);
    }
    host.follow((core) => this.followCore(core));
    this.undo.push(
      host.activity.onChange(this.activityChanged),
      notices.onChange(this.sessionChanged),
      settings.onChange((next) => {
        this.send('settings:changed', next);
        this.sessionChanged();
      }),
    );
  }

  send<C extends EventChannel>(channel: C, payload: EventPayload<C>): void {
    if (!this.isClosed) sendEvent(this.deps.contents(), channel, payload);
  }

  close(): void {
    this.isClosed = true;
    for (const step of this.undo.splice(0)) step();
  }

  private followCore(core: Core): () => void {
    const undo = [
      core.onConnections(() => {
        this.clientsChanged();
        this.sessionChanged();
      }),
      core.approvals.onChange((draft) => {
        this.deps.chatNames.learnFrom(draft);
        this.draftsChanged();
        if (draft.status !== 'pending') this.deps.notifier.dismiss(`draft:${draft.id}`);
        else if (!this.announced.has(draft.id) && core.policy.accessOf(draft.chat.id) !== 'agent_confirms') {
          const text = draftNotification(
            { tool: draft.tool, chatName: draft.chat.name, text: draft.preview.text },
            this.deps.settings.get().notificationText,
            this.deps.language(),
          );
          this.deps.notifier.show(`draft:${draft.id}`, text, () => this.deps.openDraft(draft.id));
        }
        this.announced.add(draft.id);
      }),
    ];
    return () => undo.forEach((step) => step());
  }
}
