import path from 'node:path';

const APP_NAME = 'Vestnik';

/**
 * The user's data folder, the same one that Electron's `app.getPath('userData')` gives, so that the shim finds the app
 * without asking anybody. `VESTNIK_USER_DATA` moves it (a relative value is taken from the current directory).
 *
 * @param env the environment to read
 * @param platform as `process.platform`
 * @param homedir as `os.homedir()`
 */
export function dataFolder(env: Readonly<Record<string, string | undefined>>, platform: NodeJS.Platform, homedir: string): string {
  const paths = platform === 'win32' ? path.win32 : path.posix;
  if (env.VESTNIK_USER_DATA) return paths.resolve(env.VESTNIK_USER_DATA);
  if (platform === 'win32') return paths.join(env.APPDATA || paths.join(homedir, 'AppData', 'Roaming'), APP_NAME);
  if (platform === 'darwin') return paths.join(homedir, 'Library', 'Application Support', APP_NAME);
  return paths.join(env.XDG_CONFIG_HOME || paths.join(homedir, '.config'), APP_NAME);
}
