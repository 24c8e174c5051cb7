import { useState } from 'react';
import type { SessionView } from '../../../app/ipc/contract.ts';
import { act } from '../bridge.ts';
import { useI18n } from '../i18n/I18n.tsx';
import { PauseIcon, PlayIcon } from '../ui/icons.tsx';
import { useNow } from '../ui/useNow.ts';
import { useReport } from '../ui/useReport.ts';
import { Name } from '../ui/Visible.tsx';

const WORDS = {
  signed_out: 'session.signed_out',
  signing_in: 'session.signing_in',
  online: 'session.online',
  reconnecting: 'session.reconnecting',
  paused: 'session.paused',
} as const;

/** Who is signed in, since when, how the connection is; the way in, the way out and the kill switch. */
export function SessionBox({ session }: { session: SessionView }) {
  const { t, past, exact } = useI18n();
  const report = useReport();
  const now = useNow(60_000);
  const [isAskingSignOut, setIsAskingSignOut] = useState(false);
  const isPaused = session.mode === 'paused' || session.state === 'paused';
  const shownState = isPaused ? 'paused' : session.state;
  const isSignedIn = session.name !== null || session.state === 'online' || session.state === 'reconnecting';

  const togglePause = () => report(act('session:setPaused', !isPaused));

  return (
    <section className="who" aria-label={t('session.label')}>
      <p className="state" role="status">
        <i className="dot" data-state={shownState} aria-hidden="true" />
        <span>{t(WORDS[shownState])}</span>
      </p>
      {session.name !== null && (
        <p className="person">
          <Name text={session.name} />
        </p>
      )}
      {session.since !== null && isSignedIn && (
        <p className="meta since" title={exact(session.since)}>
          {t('session.since', { when: past(session.since, now) })}
        </p>
      )}
      <p className="meta agents">{session.mode === 'read_only' ? t('session.readOnly') : t('session.agents', { count: session.agentsConnected })}</p>
      <div className="sessionButtons">
        <button type="button" className="pause" aria-pressed={isPaused} onClick={() => void togglePause()}>
          {isPaused ? <PlayIcon /> : <PauseIcon />}
          <span>{t(isPaused ? 'session.resume' : 'session.pause')}</span>
        </button>
        {!isSignedIn && (
          <button type="button" className="go" disabled={session.state === 'signing_in'} onClick={() => void report(act('session:signIn', undefined))}>
            {t('session.signIn')}
          </button>
        )}
        {isSignedIn && !isAskingSignOut && (
          <button type="button" className="quiet" onClick={() => setIsAskingSignOut(true)}>
            {t('session.signOut')}
          </button>
        )}
      </div>
      {isAskingSignOut && (
        <div className="ask" role="group" aria-label={t('session.signOutAsk')}>
          <p>{t('session.signOutAsk')}</p>
          <button
            type="button"
            onClick={() => {
              setIsAskingSignOut(false);
              void report(act('session:signOut', undefined));
            }}
          >
            {t('session.signOutYes')}
          </button>
          <button type="button" className="quiet" autoFocus onClick={() => setIsAskingSignOut(false)}>
            {t('button.cancel')}
          </button>
        </div>
      )}
    </section>
  );
}
