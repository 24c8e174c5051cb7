import type { Settings } from '../../../app/ipc/contract.ts';

/**
 * The mode to return to when the pause ends, kept beside the window (main knows only the present mode), so that a pause
 * never turns "read only" into "full" behind the person's back.
 */
const KEY = 'vestnik.modeBeforePause';

export function rememberModeBeforePause(mode: Settings['mode']): void {
  if (mode !== 'paused') localStorage.setItem(KEY, mode);
}

export function modeBeforePause(): 'full' | 'read_only' {
  return localStorage.getItem(KEY) === 'read_only' ? 'read_only' : 'full';
}
