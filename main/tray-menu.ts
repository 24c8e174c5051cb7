import type { SessionView } from '../app/ipc/contract.ts';
import { countDrafts, type Language, wordsFor } from './words.ts';

/** All the tray depends on. */
export interface TrayState {
  readonly session: SessionView['state'];
  /** Whether there is a session to end, whatever the connection does now. */
  readonly isSignedIn: boolean;
  readonly isPaused: boolean;
  readonly pendingDrafts: number;
  readonly language: Language;
}

export type TrayIcon = 'online' | 'attention' | 'paused' | 'signed-out';
export type TrayCommand = 'open' | 'openDrafts' | 'togglePause' | 'signIn' | 'signOut' | 'quit';

export type TrayItem =
  | { readonly kind: 'separator' }
  | { readonly kind: 'label'; readonly label: string }
  | { readonly kind: 'command'; readonly label: string; readonly command: TrayCommand; readonly isEnabled: boolean; readonly isChecked?: boolean };

export interface TrayView {
  readonly icon: TrayIcon;
  readonly tooltip: string;
  /** Beside the icon on macOS: how many drafts wait, or "". */
  readonly title: string;
  readonly items: readonly TrayItem[];
}

/** What the tray shows in a state. Pure: `tray.ts` only draws it. */
export function trayView(state: TrayState): TrayView {
  const words = wordsFor(state.language);
  const status = words.states[state.isPaused ? 'paused' : state.session];
  const drafts = state.pendingDrafts > 0 ? countDrafts(state.language, state.pendingDrafts) : words.noDrafts;
  return {
    icon: trayIcon(state),
    tooltip: [words.product, status, ...(state.pendingDrafts > 0 ? [drafts] : [])].join(' — '),
    title: state.pendingDrafts > 0 ? String(state.pendingDrafts) : '',
    items: [
      { kind: 'label', label: status },
      state.pendingDrafts > 0 ? { kind: 'command', label: drafts, command: 'openDrafts', isEnabled: true } : { kind: 'label', label: drafts },
      { kind: 'separator' },
      { kind: 'command', label: words.open, command: 'open', isEnabled: true },
      { kind: 'command', label: words.pause, command: 'togglePause', isEnabled: true, isChecked: state.isPaused },
      state.isSignedIn
        ? { kind: 'command', label: words.signOut, command: 'signOut', isEnabled: true }
        : { kind: 'command', label: words.signIn, command: 'signIn', isEnabled: true },
      { kind: 'separator' },
      { kind: 'command', label: words.quit, command: 'quit', isEnabled: true },
    ],
  };
}

/** A waiting draft outranks everything: it is the only state that waits for the person. */
function trayIcon(state: TrayState): TrayIcon {
  if (state.pendingDrafts > 0) return 'attention';
  if (state.isPaused || state.session === 'paused') return 'paused';
  return state.session === 'online' || state.session === 'reconnecting' ? 'online' : 'signed-out';
}
