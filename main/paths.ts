import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { app } from 'electron';

/** Folders of this installation. */
export interface Paths {
  readonly userData: string;
  /** Whether the data folder holds nothing but ours: only then may "Remove everything" delete it as a whole. */
  readonly isOwnFolder: boolean;
  readonly logFile: string;
  /** Bundled preload script of our own window. */
  readonly preload: string;
  /** Root of the window's built files. */
  readonly renderer: string;
  /** Tray and notification pictures. */
  readonly assets: string;
  /** The shim's file inside the app, copied out for clients. */
  readonly bundledShim: string;
}

/**
 * Points Electron at the data folder (`VESTNIK_USER_DATA` or the system's place for "Vestnik") and makes it private.
 * Must run before anything asks Electron for a session or for the single-instance lock: both live in that folder.
 */
export function preparePaths(environment: NodeJS.ProcessEnv): Paths {
  app.setName('Vestnik');
  // As electron-builder.yml says: Windows ties notifications, the taskbar and the entry at login to the installed shortcut by it.
  if (process.platform === 'win32') app.setAppUserModelId('app.vestnik.desktop');
  const wanted = environment['VESTNIK_USER_DATA'];
  const userData = wanted ? path.resolve(wanted) : path.join(app.getPath('appData'), 'Vestnik');
  makePrivateFolder(userData);
  const isOwnFolder = !wanted || claimFolder(userData);
  app.setPath('userData', userData);
  app.setPath('sessionData', userData);
  app.setPath('crashDumps', path.join(userData, 'crashes'));
  app.setAppLogsPath(path.join(userData, 'logs'));
  const out = path.join(import.meta.dirname, '..');
  return {
    userData,
    isOwnFolder,
    logFile: path.join(userData, 'logs', 'vestnik.log'),
    preload: path.join(out, 'preload', 'index.cjs'),
    renderer: path.join(out, 'renderer'),
    assets: path.join(out, 'assets'),
    bundledShim: path.join(out, 'shim', 'vestnik-mcp.cjs'),
  };
}

/** Creates a folder only its owner can enter, or tightens one that is there. */
export function makePrivateFolder(folder: string): void {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (process.platform !== 'win32') fs.chmodSync(folder, 0o700);
}

/** Marks a folder that was empty when we first came; one somebody else already used is never ours as a whole. */
function claimFolder(folder: string): boolean {
  const marker = path.join(folder, 'vestnik-data-folder');
  if (fs.existsSync(marker)) return true;
  if (fs.readdirSync(folder).length > 0) return false;
  fs.writeFileSync(marker, 'Vestnik keeps its data here; "Remove everything" in its settings deletes this folder.\n', { mode: 0o600 });
  return true;
}

/** A user-visible folder (`downloads`, `documents`, …), or undefined where the system has none. */
export function personFolder(name: 'downloads' | 'documents' | 'desktop' | 'pictures'): string | undefined {
  try {
    const folder = app.getPath(name);
    return folder === os.homedir() ? undefined : folder; // XDG answers with the home folder for one that is not set up
  } catch {
    return undefined;
  }
}
