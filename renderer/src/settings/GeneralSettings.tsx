import type { Settings } from '../../../app/ipc/contract.ts';
import { useI18n } from '../i18n/I18n.tsx';
import { ACCESS_CONSEQUENCES, ACCESS_NAMES } from '../lib/access.ts';
import { Choice, Group, Switch, TextField } from './fields.tsx';
import { useSave } from './useSave.ts';
import { parseDraftHours, parseTimeZone } from './validation.ts';

const ZONES: readonly string[] = Intl.supportedValuesOf('timeZone');
const DEFAULT_ACCESSES = ['default', 'read_only', 'hidden'] as const;

export function GeneralSettings({ settings }: { settings: Settings }) {
  const { t } = useI18n();
  const save = useSave();
  return (
    <Group title={t('settings.general')}>
      <Choice
        label={t('settings.language')}
        value={settings.language}
        options={[
          { value: 'system', words: t('settings.language.system') },
          { value: 'ru', words: t('settings.language.ru') },
          { value: 'en', words: t('settings.language.en') },
        ]}
        onChange={(language) => void save({ language })}
      />
      <TextField
        label={t('settings.timeZone')}
        value={settings.timeZone === 'system' ? '' : settings.timeZone}
        placeholder={t('settings.language.system')}
        parse={parseTimeZone}
        problem={t('settings.timeZone.bad')}
        hint={t('settings.timeZone.hint')}
        suggestions={ZONES}
        onSave={(timeZone) => void save({ timeZone })}
      />
      <Switch label={t('settings.startAtLogin')} isOn={settings.startAtLogin} onChange={(startAtLogin) => void save({ startAtLogin })} />
      <Switch label={t('settings.notifications')} isOn={settings.notifications} onChange={(notifications) => void save({ notifications })} />
      {settings.notifications && (
        <Switch label={t('settings.notificationText')} isOn={settings.notificationText} onChange={(notificationText) => void save({ notificationText })} />
      )}
    </Group>
  );
}

export function AgentSettings({ settings }: { settings: Settings }) {
  const { t } = useI18n();
  const save = useSave();
  return (
    <Group title={t('settings.agents')}>
      <Choice
        label={t('settings.mode')}
        value={settings.mode}
        options={[
          { value: 'full', words: t('settings.mode.full') },
          { value: 'read_only', words: t('settings.mode.read_only') },
          { value: 'paused', words: t('settings.mode.paused') },
        ]}
        onChange={(mode) => void save({ mode })}
      />
      <Choice
        label={t('settings.defaultAccess')}
        value={settings.defaultAccess}
        options={DEFAULT_ACCESSES.map((value) => ({ value, words: t(ACCESS_NAMES[value]) }))}
        hint={t(ACCESS_CONSEQUENCES[settings.defaultAccess])}
        onChange={(defaultAccess) => void save({ defaultAccess })}
      />
      <TextField
        label={t('settings.draftLifetime')}
        value={String(settings.draftLifetimeHours)}
        parse={parseDraftHours}
        problem={t('settings.draftLifetime.bad')}
        onSave={(draftLifetimeHours) => void save({ draftLifetimeHours })}
      />
    </Group>
  );
}

export function AccountSettings({ settings }: { settings: Settings }) {
  const { t } = useI18n();
  const save = useSave();
  return (
    <Group title={t('settings.account')}>
      <Choice
        label={t('settings.frontDoor')}
        value={settings.frontDoor}
        options={[
          { value: 'personal', words: t('settings.frontDoor.personal') },
          { value: 'business', words: t('settings.frontDoor.business') },
        ]}
        onChange={(frontDoor) => void save({ frontDoor })}
      />
    </Group>
  );
}
