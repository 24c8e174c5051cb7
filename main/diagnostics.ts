import { app, safeStorage } from 'electron';
import type { Protocol } from '../app/wire/protocol.ts';
import type { Protection } from './stores/secrets.ts';

export interface DiagnosticsDeps {
  readonly userData: string;
  readonly logFile: string;
  readonly protection: () => Protection;
  readonly protocol: () => Protocol;
  readonly state: () => string;
  readonly bridgeAddress: () => string | undefined;
  readonly shimCommand: () => string | undefined;
  readonly agents: () => number;
}

/** What a person may paste into a report: versions, places and states; no names, no text, no cookies. */
export function diagnostics(deps: DiagnosticsDeps): { lines: { key: string; value: string }[] } {
  const protocol = deps.protocol();
  const backend = process.platform === 'linux' ? safeStorage.getSelectedStorageBackend() : process.platform;
  const lines: [string, string][] = [
    ['version', app.getVersion()],
    ['electron', process.versions.electron ?? ''],
    ['chromium', process.versions['chrome'] ?? ''],
    ['node', process.versions.node],
    ['system', `${process.platform} ${process.arch} ${process.getSystemVersion()}`],
    ['data_folder', deps.userData],
    ['log_file', deps.logFile],
    ['encryption', `${deps.protection()} (${backend})`],
    ['state', deps.state()],
    ['agents', String(deps.agents())],
    ['bridge', deps.bridgeAddress() ?? 'closed'],
    ['shim', deps.shimCommand() ?? 'none'],
    ['messenger_page', protocol.messengerPageUrl],
    ['registry', protocol.registryUrl],
    ['socket', protocol.socketUrl],
  ];
  // The home folder is called as the person is.
  const home = app.getPath('home');
  return { lines: lines.map(([key, value]) => ({ key, value: value.replaceAll(home, '~') })) };
}
