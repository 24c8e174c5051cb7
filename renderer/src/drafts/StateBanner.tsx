import type { SessionView } from '../../../app/ipc/contract.ts';
import { act } from '../bridge.ts';
import { useI18n } from '../i18n/I18n.tsx';
import { useReport } from '../ui/useReport.ts';

/** Says above the cards what keeps agents from working, with the way out of it. */
export function StateBanner({ session }: { session: SessionView }) {
  const { t } = useI18n();
  const report = useReport();
  if (session.mode === 'paused' || session.state === 'paused') {
    return (
      <div className="banner" data-tone="warn">
        <p>
          <strong>{t('session.paused')}.</strong> {t('session.pausedNote')}
        </p>
      </div>
    );
  }
  if (session.state !== 'signed_out') return null;
  return (
    <div className="banner">
      <p>
        <strong>{t('session.signed_out')}.</strong> {t('session.signedOutNote')}
      </p>
      <button type="button" className="go" onClick={() => void report(act('session:signIn', undefined))}>
        {t('session.signIn')}
      </button>
    </div>
  );
}
