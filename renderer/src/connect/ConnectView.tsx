import { useRemote } from '../bridge.ts';
import { useI18n } from '../i18n/I18n.tsx';
import { Unreachable } from '../ui/Unreachable.tsx';
import { ClientRow } from './ClientRow.tsx';
import { Snippet } from './Snippet.tsx';

/** Programs that may start the shim, and what to paste into those we do not know. */
export function ConnectView() {
  const { t } = useI18n();
  const clients = useRemote('clients:list', undefined, 'clients:changed');
  const snippets = useRemote('clients:snippets', undefined);
  return (
    <div className="page" data-page="connect">
      <header className="title">
        <h1>{t('connect.title')}</h1>
        <p>{t('connect.lead')}</p>
      </header>
      {clients.hasFailed && <Unreachable onRetry={clients.reload} />}
      <ul className="clients">
        {clients.value?.map((client) => (
          <ClientRow key={client.id} client={client} onChanged={clients.reload} />
        ))}
      </ul>
      {snippets.value && (
        <section className="panel">
          <h2>{t('connect.other')}</h2>
          <p className="meta">{t('connect.otherLead')}</p>
          <Snippet title={t('connect.json')} text={snippets.value.json} />
          <Snippet title={t('connect.claudeCode')} text={snippets.value.claudeCode} />
        </section>
      )}
    </div>
  );
}
