import { useCallback } from 'react';
import type { ActionResult } from '../../../app/ipc/contract.ts';
import { useI18n } from '../i18n/I18n.tsx';
import { reasonFor } from '../lib/reasons.ts';
import { visibleString } from '../lib/visible.ts';
import { useFeedback } from './Feedback.tsx';

/** Waits for an action and says how it went; what the person called off themselves needs no words. Resolves to whether it was done. */
export function useReport(): (action: Promise<ActionResult>, done?: string) => Promise<boolean> {
  const { t } = useI18n();
  const { say } = useFeedback();
  return useCallback(
    async (action, done) => {
      const result = await action;
      if (result.ok) {
        if (done !== undefined) say(done);
        return true;
      }
      if (result.code !== 'cancelled') {
        const reason = reasonFor(result.code, visibleString(result.detail));
        say(t('reason.failed', { reason: t(reason.key, reason.values) }), 'bad');
      }
      return false;
    },
    [say, t],
  );
}
