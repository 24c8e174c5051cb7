import { useCallback } from 'react';
import type { Settings } from '../../../app/ipc/contract.ts';
import { act } from '../bridge.ts';
import { useI18n } from '../i18n/I18n.tsx';
import { useReport } from '../ui/useReport.ts';

/** Saves a part of the settings and says so; resolves to whether it was taken. */
export function useSave(): (part: Partial<Settings>) => Promise<boolean> {
  const { t } = useI18n();
  const report = useReport();
  return useCallback((part) => report(act('settings:update', part), t('settings.saved')), [report, t]);
}
