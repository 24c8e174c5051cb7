import type { InvokeResult, Settings } from '../../../app/ipc/contract.ts';
import { useI18n } from '../i18n/I18n.tsx';
import { Diagnostics } from './Diagnostics.tsx';
import { Group } from './fields.tsx';
import { FileSettings } from './FileSettings.tsx';
import { AccountSettings, AgentSettings, GeneralSettings } from './GeneralSettings.tsx';
import { ProtocolSettings } from './ProtocolSettings.tsx';
import { RemoveEverything } from './RemoveEverything.tsx';
import { UpdateSettings } from './UpdateSettings.tsx';

interface Props {
  readonly settings: Settings;
  readonly environment: InvokeResult<'app:environment'>;
}

/** Every setting; each is saved as soon as it is chosen or left. */
export function SettingsView({ settings, environment }: Props) {
  const { t } = useI18n();
  return (
    <div className="page" data-page="settings">
      <header className="title">
        <h1>{t('settings.title')}</h1>
      </header>
      <GeneralSettings settings={settings} />
      <AgentSettings settings={settings} />
      <FileSettings settings={settings} />
      <AccountSettings settings={settings} />
      <UpdateSettings settings={settings} version={environment.version} />
      <Group title={t('settings.advanced')}>
        <ProtocolSettings settings={settings} />
        <Diagnostics />
      </Group>
      <RemoveEverything />
    </div>
  );
}
