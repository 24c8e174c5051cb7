import { useEffect, useRef, useState } from 'react';
import type { InvokeResult, Settings } from '../../app/ipc/contract.ts';
import { ActivityView } from './activity/ActivityView.tsx';
import { useBridgeEvent, useRemote } from './bridge.ts';
import { ChatsView } from './chats/ChatsView.tsx';
import { ConnectView } from './connect/ConnectView.tsx';
import { DraftsView } from './drafts/DraftsView.tsx';
import { useI18n } from './i18n/I18n.tsx';
import { Nav } from './Nav.tsx';
import { Notices } from './session/Notices.tsx';
import { UpdateNotice } from './session/UpdateNotice.tsx';
import { SettingsView } from './settings/SettingsView.tsx';
import type { View } from './views.ts';
import { WelcomeView } from './welcome/WelcomeView.tsx';

interface Props {
  readonly settings: Settings;
  readonly environment: InvokeResult<'app:environment'>;
}

/** Sections at the side (or the foot of a narrow window), the chosen view beside them. */
export function Shell({ settings, environment }: Props) {
  const { t } = useI18n();
  const [place, setPlace] = useState<{ view: View; draftId: string | null; turn: number }>(() => ({
    view: settings.firstRunDone ? 'drafts' : 'welcome',
    draftId: null,
    turn: 0,
  }));
  const session = useRemote('session:get', undefined, 'session:changed');
  const drafts = useRemote('drafts:list', undefined, 'drafts:changed');
  // State, not a ref: the lists need the scrolling element itself, once it is there.
  const [main, setMain] = useState<HTMLElement | null>(null);
  const go = (view: View, draftId: string | null = null) => setPlace((last) => ({ view, draftId, turn: last.turn + 1 }));
  useBridgeEvent('navigate', ({ view, draftId }) => go(view, draftId));

  // Another section begins at its top, with the focus in it; a card that was asked for takes the focus itself.
  const shownView = useRef(place.view);
  useEffect(() => {
    if (!main || shownView.current === place.view) return;
    shownView.current = place.view;
    main.scrollTo(0, 0);
    if (place.draftId === null) main.focus({ preventScroll: true });
  }, [place, main]);

  const pending = drafts.value?.filter((card) => card.status === 'pending').length ?? 0;
  return (
    <div className="shell">
      <a
        className="skip"
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          main?.focus();
        }}
      >
        {t('app.skip')}
      </a>
      <Nav view={place.view} pending={pending} session={session.value} onGo={go} />
      <main id="main" ref={setMain} tabIndex={-1}>
        {session.value && <Notices session={session.value} />}
        <UpdateNotice />
        {place.view === 'drafts' && main && <DraftsView drafts={drafts} session={session.value} scroller={main} openId={place.draftId} openTurn={place.turn} />}
        {place.view === 'activity' && main && <ActivityView scroller={main} />}
        {place.view === 'chats' && main && <ChatsView scroller={main} settings={settings} />}
        {place.view === 'connect' && <ConnectView />}
        {place.view === 'settings' && <SettingsView settings={settings} environment={environment} />}
        {place.view === 'welcome' && <WelcomeView session={session.value} settings={settings} onDone={() => go('drafts')} />}
      </main>
    </div>
  );
}
