import type { SessionView } from '../../app/ipc/contract.ts';
import { useI18n } from './i18n/I18n.tsx';
import { SessionBox } from './session/SessionBox.tsx';
import { ActivityIcon, ChatsIcon, ConnectIcon, DraftsIcon, SettingsIcon } from './ui/icons.tsx';
import { SECTIONS } from './views.ts';
import type { Section, View } from './views.ts';

const LOOKS = {
  drafts: { label: 'nav.drafts', Icon: DraftsIcon },
  activity: { label: 'nav.activity', Icon: ActivityIcon },
  chats: { label: 'nav.chats', Icon: ChatsIcon },
  connect: { label: 'nav.connect', Icon: ConnectIcon },
  settings: { label: 'nav.settings', Icon: SettingsIcon },
} as const satisfies Record<Section, unknown>;

interface Props {
  readonly view: View;
  readonly pending: number;
  readonly session: SessionView | undefined;
  readonly onGo: (view: Section) => void;
}

export function Nav({ view, pending, session, onGo }: Props) {
  const { t, number } = useI18n();
  return (
    <header className="side">
      <p className="brand">{t('app.name')}</p>
      <nav aria-label={t('nav.label')}>
        <ul>
          {SECTIONS.map((section) => {
            const { label, Icon } = LOOKS[section];
            const count = section === 'drafts' ? pending : 0;
            return (
              <li key={section}>
                <button
                  type="button"
                  className="navItem"
                  data-view={section}
                  aria-current={view === section ? 'page' : undefined}
                  onClick={() => onGo(section)}
                >
                  <Icon />
                  <span className="navLabel">{t(label)}</span>
                  {count > 0 && (
                    <b aria-label={t('nav.pending', { count })} role="img">
                      {count > 999 ? '999+' : number(count)}
                    </b>
                  )}
                </button>
              </li>
            );
          })}
        </ul>
      </nav>
      {session && <SessionBox session={session} />}
    </header>
  );
}
