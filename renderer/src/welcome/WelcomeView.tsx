import type { SessionView, Settings } from '../../../app/ipc/contract.ts';
import { act, useRemote } from '../bridge.ts';
import { ClientRow } from '../connect/ClientRow.tsx';
import { Snippet } from '../connect/Snippet.tsx';
import { useI18n } from '../i18n/I18n.tsx';
import { FeatherIcon } from '../ui/icons.tsx';
import { useReport } from '../ui/useReport.ts';
import { Step } from './Step.tsx';

interface Props {
  readonly session: SessionView | undefined;
  readonly settings: Settings;
  readonly onDone: () => void;
}

/** First run: sign in, connect a client, try it. Every step may be skipped, and shows itself done as soon as it is. */
export function WelcomeView({ session, onDone }: Props) {
  const { t } = useI18n();
  const report = useReport();
  const clients = useRemote('clients:list', undefined, 'clients:changed');
  const found = clients.value?.filter((client) => client.detected) ?? [];
  const isSignedIn = session !== undefined && (session.name !== null || session.state === 'online');
  const isConnected = found.some((client) => client.configured);
  const finish = async () => {
    await report(act('settings:update', { firstRunDone: true }));
    onDone();
  };
  return (
    <div className="page" data-page="welcome">
      <header className="title hello">
        <FeatherIcon />
        <div>
          <h1>{t('welcome.title')}</h1>
          <p>{t('welcome.lead')}</p>
        </div>
      </header>
      <ol className="steps" aria-label={t('welcome.steps')}>
        <Step number={1} title={t('welcome.signIn')} isDone={isSignedIn}>
          <p className="meta">{t('welcome.signInHow')}</p>
          {!isSignedIn && (
            <div>
              <button type="button" className="go" disabled={session?.state === 'signing_in'} onClick={() => void report(act('session:signIn', undefined))}>
                {t(session?.state === 'signing_in' ? 'session.signing_in' : 'session.signIn')}
              </button>
            </div>
          )}
        </Step>
        <Step number={2} title={t('welcome.connect')} isDone={isConnected}>
          <p className="meta">{found.length === 0 && clients.value ? t('welcome.connectNone') : t('welcome.connectHow')}</p>
          <ul className="clients">
            {found.map((client) => (
              <ClientRow key={client.id} client={client} onChanged={clients.reload} />
            ))}
          </ul>
        </Step>
        <Step number={3} title={t('welcome.try')} isDone={false}>
          <Snippet title={t('welcome.tryHow')} text={t('welcome.tryWords')} />
          <p className="meta">{t('welcome.tryThen')}</p>
        </Step>
      </ol>
      <div className="row">
        <button type="button" className={isSignedIn && isConnected ? 'go' : 'quiet'} onClick={() => void finish()}>
          {t(isSignedIn && isConnected ? 'welcome.finish' : 'welcome.skip')}
        </button>
      </div>
    </div>
  );
}
