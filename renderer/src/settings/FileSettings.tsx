import type { Settings } from '../../../app/ipc/contract.ts';
import { ask } from '../bridge.ts';
import { useI18n } from '../i18n/I18n.tsx';
import { visibleString } from '../lib/visible.ts';
import { Name } from '../ui/Visible.tsx';
import { Group, TextField } from './fields.tsx';
import { useSave } from './useSave.ts';
import { MEGABYTE, parseDownloadsDays, parseMaxFile } from './validation.ts';

/** Where agents may take files from, and where downloads go. */
export function FileSettings({ settings }: { settings: Settings }) {
  const { t } = useI18n();
  const save = useSave();
  const { allowedFolders } = settings;
  const pick = async (take: (folder: string) => void) => {
    const folder = await ask('settings:pickFolder', undefined).catch(() => null);
    if (folder !== null) take(folder);
  };
  return (
    <Group title={t('settings.files')}>
      <div className="field" role="group" aria-label={t('settings.allowedFolders')}>
        <p className="label">{t('settings.allowedFolders')}</p>
        <ul className="folders">
          {allowedFolders.map((folder) => (
            <li key={folder}>
              <code dir="ltr">
                <Name text={folder} />
              </code>
              <button
                type="button"
                className="quiet"
                aria-label={t('settings.removeFolder', { folder: visibleString(folder) })}
                onClick={() => void save({ allowedFolders: allowedFolders.filter((other) => other !== folder) })}
              >
                {t('settings.remove')}
              </button>
            </li>
          ))}
        </ul>
        {allowedFolders.length === 0 && <p className="meta">{t('settings.allowedFolders.none')}</p>}
        <div>
          <button
            type="button"
            onClick={() => void pick((folder) => !allowedFolders.includes(folder) && void save({ allowedFolders: [...allowedFolders, folder] }))}
          >
            {t('settings.addFolder')}
          </button>
        </div>
      </div>
      <TextField
        label={t('settings.maxFile')}
        value={String(Math.round((settings.maxFileBytes / MEGABYTE) * 100) / 100)}
        parse={parseMaxFile}
        problem={t('settings.maxFile.bad')}
        onSave={(maxFileBytes) => void save({ maxFileBytes })}
      />
      <div className="field" role="group" aria-label={t('settings.downloadsFolder')}>
        <p className="label">{t('settings.downloadsFolder')}</p>
        <ul className="folders">
          <li>
            <code dir="ltr">
              <Name text={settings.downloadsFolder} />
            </code>
            <button type="button" className="quiet" onClick={() => void pick((downloadsFolder) => void save({ downloadsFolder }))}>
              {t('settings.change')}
            </button>
          </li>
        </ul>
      </div>
      <TextField
        label={t('settings.downloadsDays')}
        value={String(settings.downloadsDays)}
        parse={parseDownloadsDays}
        problem={t('settings.downloadsDays.bad')}
        onSave={(downloadsDays) => void save({ downloadsDays })}
      />
    </Group>
  );
}
