import { useState } from 'react';
import type { McpClientView } from '../../../app/ipc/contract.ts';
import { act } from '../bridge.ts';
import { useI18n } from '../i18n/I18n.tsx';
import { reasonFor } from '../lib/reasons.ts';
import { useReport } from '../ui/useReport.ts';
import { Name } from '../ui/Visible.tsx';
import { CLIENT_NAMES, clientState } from './clients.ts';

/** One known program: its state, and the button that adds or removes our entry in its settings. */
export function ClientRow({ client, onChanged }: { client: McpClientView; onChanged: () => void }) {
  const { t } = useI18n();
  const report = useReport();
  const [isBusy, setIsBusy] = useState(false);
  const name = CLIENT_NAMES[client.id];
  const state = clientState(client);
  const run = async (channel: 'clients:connect' | 'clients:disconnect', done: string) => {
    if (isBusy) return;
    setIsBusy(true);
    await report(act(channel, client.id), done);
    setIsBusy(false);
    onChanged();
  };
  const reason = client.problem === null ? null : reasonFor(client.problem);
  // One that is installed but was never started looks absent: its settings may be written all the same.
  const canConnect = !client.configured || client.outdated;
  const connectLabel = t(client.outdated ? 'connect.renew' : client.detected ? 'connect.add' : 'connect.addAnyway');
  return (
    <li className="panel client" data-client={client.id}>
      <div>
        <h2>{name}</h2>
        <p className="clientState" data-tone={state.tone}>
          <i className="dot" data-state={client.connected ? 'online' : client.outdated ? 'reconnecting' : 'off'} aria-hidden="true" />
          {t(state.key)}
        </p>
        <code dir="ltr">
          <Name text={client.configPath} />
        </code>
        {reason && <p className="problem">{t(reason.key, reason.values)}</p>}
      </div>
      <div className="clientButtons">
        {canConnect && (
          <button
            type="button"
            className={client.detected ? 'go' : undefined}
            aria-disabled={isBusy}
            aria-label={`${connectLabel}: ${name}`}
            onClick={() => void run('clients:connect', t('connect.added', { client: name }))}
          >
            {connectLabel}
          </button>
        )}
        {client.configured && (
          <button
            type="button"
            aria-disabled={isBusy}
            aria-label={`${t('connect.remove')}: ${name}`}
            onClick={() => void run('clients:disconnect', t('connect.removed'))}
          >
            {t('connect.remove')}
          </button>
        )}
      </div>
    </li>
  );
}
