import { useState } from 'react';
import type { SessionView } from '../../../app/ipc/contract.ts';
import { act } from '../bridge.ts';
import { useI18n } from '../i18n/I18n.tsx';
import type { MessageKey } from '../i18n/en.ts';
import { Visible } from '../ui/Visible.tsx';

const WORDS: Readonly<Record<string, MessageKey>> = {
  settings_broken: 'notice.settingsBroken',
  settings_values_broken: 'notice.settingsValues',
  activity_broken: 'notice.journalBroken',
  drafts_broken: 'notice.draftsBroken',
  drafts_locked: 'notice.draftsLocked',
  chat_access_broken: 'notice.chatAccessBroken',
  keyring_locked: 'notice.keyringLocked',
  protocol_invalid: 'notice.protocolBroken',
  protocol_unknown_keys: 'notice.protocolUnknown',
  start_failed: 'notice.startFailed',
};

/** What the person should know once: dismissed with a click, except what stays true. */
export function Notices({ session }: { session: SessionView }) {
  const { t } = useI18n();
  // It stays true, so it is said again at the next start.
  const [isEncryptionRead, setIsEncryptionRead] = useState(false);
  const isUnencryptedSaid = !session.secretsEncrypted && !isEncryptionRead;
  if (!isUnencryptedSaid && session.notices.length === 0) return null;
  return (
    <div className="notices">
      {isUnencryptedSaid && (
        <div className="notice" role="note">
          <p>{t('notice.unencrypted')}</p>
          <button type="button" onClick={() => setIsEncryptionRead(true)}>
            {t('notice.dismiss')}
          </button>
        </div>
      )}
      {session.notices.map((notice) => (
        <div key={notice.id} className="notice" role="note">
          <p>
            {t(WORDS[notice.code] ?? 'notice.other')}
            {notice.detail !== '' && (
              <span className="detail">
                <Visible text={notice.detail} />
              </span>
            )}
          </p>
          <button type="button" onClick={() => void act('session:dismissNotice', notice.id)}>
            {t('notice.dismiss')}
          </button>
        </div>
      ))}
    </div>
  );
}
