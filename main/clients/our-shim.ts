import fs from 'node:fs';
import path from 'node:path';
import { app } from 'electron';
import { dataFolder } from '../../app/bridge/data-folder.ts';
import type { Log } from '../../app/wire/ports.ts';
import type { Paths } from '../paths.ts';
import type { ServerEntry } from './config-edit.ts';
import { copyShim, findNode, type ShimCopy, shimEntry } from './shim-copy.ts';
import { realSurroundings } from './surroundings.ts';

/** Copies the shim of this build out of it. @returns what a client must run; undefined where nothing can run the shim */
export function installOurShim(paths: Paths, log: Log): () => ServerEntry | undefined {
  const binary = path.join(process.resourcesPath, 'shim', process.platform === 'win32' ? 'vestnik-mcp.exe' : 'vestnik-mcp');
  let shim: ShimCopy | undefined;
  try {
    shim = copyShim({ script: paths.bundledShim, binary: app.isPackaged ? binary : undefined }, paths.userData, app.getVersion());
  } catch (error) {
    log.error('shim_copy_failed', { code: (error as NodeJS.ErrnoException).code });
  }
  const isDefaultFolder = paths.userData === dataFolder({ ...process.env, VESTNIK_USER_DATA: undefined }, process.platform, realSurroundings.home);
  return () => shimEntry(shim, findNode(process.env, process.platform, isFile), isDefaultFolder ? undefined : paths.userData);
}

function isFile(file: string): boolean {
  return fs.statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
}
