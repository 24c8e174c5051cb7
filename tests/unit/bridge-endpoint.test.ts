import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dataFolder } from '../../app/bridge/data-folder.ts';
import {
  addressCandidates,
  BRIDGE_PROTOCOL,
  endpointFile,
  isOurSocketPath,
  newSecret,
  parseEndpoint,
  readEndpoint,
  removeEndpoint,
  writeEndpoint,
  type Endpoint,
} from '../../app/bridge/endpoint.ts';
import { BridgeError } from '../../app/bridge/errors.ts';
import { readLaunchCommand, sessionVariables, writeLaunchCommand } from '../../app/bridge/launch.ts';
import { ensurePrivateFolder } from '../../app/bridge/private-files.ts';

function codeOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (error instanceof BridgeError) return error.code;
    throw error;
  }
  return 'no error';
}

describe('the data folder', () => {
  it('is where Electron keeps it on every system', () => {
    expect(dataFolder({}, 'darwin', '/Users/anna')).toBe('/Users/anna/Library/Application Support/Vestnik');
    expect(dataFolder({ APPDATA: 'C:\\Users\\Anna\\AppData\\Roaming' }, 'win32', 'C:\\Users\\Anna')).toBe('C:\\Users\\Anna\\AppData\\Roaming\\Vestnik');
    expect(dataFolder({}, 'win32', 'C:\\Users\\Anna')).toBe('C:\\Users\\Anna\\AppData\\Roaming\\Vestnik');
    expect(dataFolder({}, 'linux', '/home/anna')).toBe('/home/anna/.config/Vestnik');
    expect(dataFolder({ XDG_CONFIG_HOME: '/home/anna/settings' }, 'linux', '/home/anna')).toBe('/home/anna/settings/Vestnik');
    expect(dataFolder({ XDG_CONFIG_HOME: '' }, 'linux', '/home/anna')).toBe('/home/anna/.config/Vestnik');
  });

  it('moves with VESTNIK_USER_DATA', () => {
    const env = { VESTNIK_USER_DATA: '/srv/vestnik', XDG_CONFIG_HOME: '/etc', APPDATA: 'C:\\x' };
    expect(dataFolder(env, 'linux', '/home/anna')).toBe('/srv/vestnik');
    expect(dataFolder(env, 'darwin', '/Users/anna')).toBe('/srv/vestnik');
    expect(dataFolder({ VESTNIK_USER_DATA: 'D:\\data' }, 'win32', 'C:\\Users\\Anna')).toBe('D:\\data');
  });
});

describe('the socket address', () => {
  it('is a new one for every launch, in the data folder', () => {
    const [first] = addressCandidates('/home/anna/.config/Vestnik', 'linux', {}, '/tmp');
    const [second] = addressCandidates('/home/anna/.config/Vestnik', 'linux', {}, '/tmp');
    expect(first?.socket).toMatch(/^\/home\/anna\/\.config\/Vestnik\/bridge-[0-9a-f]{16}\.sock$/);
    expect(second?.socket).not.toBe(first?.socket);
  });

  it('stays under 100 bytes, also for a long name in Cyrillic', () => {
    const long = `/home/${'имя'.repeat(20)}/.config/Vestnik`;
    const candidates = addressCandidates(long, 'linux', { XDG_RUNTIME_DIR: '/run/user/1000' }, '/tmp');
    expect(candidates.map(({ socket }) => path.dirname(path.dirname(socket)))).toEqual(['/run/user/1000', '/tmp', '/tmp']);
    for (const { socket, privateFolder } of candidates) {
      expect(Buffer.byteLength(socket)).toBeLessThan(100);
      expect(path.dirname(socket)).toBe(privateFolder);
    }
  });

  it('finds a place even when the temporary folder is long as well', () => {
    const candidates = addressCandidates(`/${'a'.repeat(120)}`, 'darwin', {}, `/private/${'b'.repeat(120)}`);
    expect(candidates.map(({ privateFolder }) => path.dirname(privateFolder ?? ''))).toEqual(['/tmp']);
  });

  it('is a named pipe on Windows, short enough and different every time', () => {
    const names = [1, 2].map(() => addressCandidates('C:\\Users\\Anna\\AppData\\Roaming\\Vestnik', 'win32', {}, 'C:\\Temp'));
    for (const candidates of names) {
      expect(candidates).toHaveLength(1);
      expect(candidates[0]?.socket).toMatch(/^\\\\\.\\pipe\\vestnik-[0-9a-f]{32}$/);
      expect(candidates[0]?.socket.length).toBeLessThan(256); // the longest name that Windows takes
      expect(candidates[0]?.privateFolder).toBeUndefined();
    }
    expect(names[0]?.[0]?.socket).not.toBe(names[1]?.[0]?.socket);
  });

  it('tells our own sockets from everything else before anything is removed', () => {
    for (const { socket } of addressCandidates('/home/anna/Vestnik', 'linux', {}, '/tmp')) expect(isOurSocketPath(socket)).toBe(true);
    for (const other of ['/run/docker.sock', '/tmp/bridge.sock', '/home/anna/Vestnik/bridge-1.sock', '/home/anna/Vestnik/config.json']) {
      expect(isOurSocketPath(other)).toBe(false);
    }
  });
});

describe.skipIf(process.platform === 'win32')('the endpoint file', () => {
  let folder: string;
  const endpoint: Endpoint = { socket: '/tmp/x.sock', secret: newSecret(), pid: 42, appVersion: '1.2.3', protocol: BRIDGE_PROTOCOL };
  beforeEach(() => {
    folder = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'vestnik-unit-')), 'data');
    ensurePrivateFolder(folder);
  });
  afterEach(() => fs.rmSync(path.dirname(folder), { recursive: true }));

  it('is readable by its owner only and comes back as it was written', () => {
    writeEndpoint(folder, endpoint);
    expect(fs.statSync(folder).mode & 0o777).toBe(0o700);
    expect(fs.statSync(endpointFile(folder)).mode & 0o777).toBe(0o600);
    expect(readEndpoint(folder)).toEqual(endpoint);
    expect(fs.readdirSync(folder)).toEqual(['bridge.json']);
  });

  it('is absent before the app has started', () => {
    expect(readEndpoint(folder)).toBeUndefined();
    expect(readEndpoint(path.join(folder, 'nowhere'))).toBeUndefined();
  });

  it.each([0o640, 0o604, 0o620, 0o602, 0o644])('is refused with mode %o', (mode) => {
    writeEndpoint(folder, endpoint);
    fs.chmodSync(endpointFile(folder), mode);
    expect(codeOf(() => readEndpoint(folder))).toBe('file_unsafe');
  });

  it('is refused in a folder that others can enter, and the app closes such a folder', () => {
    writeEndpoint(folder, endpoint);
    fs.chmodSync(folder, 0o755);
    expect(codeOf(() => readEndpoint(folder))).toBe('folder_unsafe');
    ensurePrivateFolder(folder);
    expect(fs.statSync(folder).mode & 0o777).toBe(0o700);
    expect(readEndpoint(folder)).toEqual(endpoint);
  });

  it('is refused as a link, a folder, a pipe or a damaged file', () => {
    const file = endpointFile(folder);
    const real = path.join(folder, 'real.json');
    writeEndpoint(folder, endpoint);
    fs.renameSync(file, real);
    fs.symlinkSync(real, file);
    expect(codeOf(() => readEndpoint(folder))).toBe('file_unsafe');
    fs.rmSync(file);
    fs.mkdirSync(file);
    expect(codeOf(() => readEndpoint(folder))).toBe('file_unsafe');
    fs.rmdirSync(file);
    for (const text of ['', '{', 'null', '[]', '{"socket":"/tmp/x","secret":"c2hvcnQ","protocol":1}']) {
      fs.writeFileSync(file, text, { mode: 0o600 });
      expect(codeOf(() => readEndpoint(folder))).toBe('file_malformed');
    }
  });

  it('never lets a folder that many users share become the data folder', () => {
    fs.chmodSync(folder, 0o1777);
    expect(codeOf(() => ensurePrivateFolder(folder))).toBe('folder_unsafe');
    expect(fs.statSync(folder).mode & 0o7777).toBe(0o1777);
  });

  it('is taken away only by the instance that wrote it', () => {
    writeEndpoint(folder, endpoint);
    removeEndpoint(folder, newSecret());
    expect(readEndpoint(folder)).toEqual(endpoint);
    removeEndpoint(folder, endpoint.secret);
    expect(readEndpoint(folder)).toBeUndefined();
  });

  it('may have keys that only a newer Vestnik knows', () => {
    const text = JSON.stringify({ ...endpoint, secret: endpoint.secret.toString('base64url'), version: 2, protocol: 7, news: true });
    expect(parseEndpoint(text, 'bridge.json').protocol).toBe(7);
  });

  it('lies beside a launch command that is trusted only when nobody else could have written it', () => {
    const command = { command: '/opt/Vestnik/vestnik', args: ['--background'], env: { DISPLAY: ':0' } };
    expect(readLaunchCommand(folder)).toBeUndefined();
    writeLaunchCommand(folder, command);
    expect(readLaunchCommand(folder)).toEqual(command);
    fs.chmodSync(folder, 0o777);
    expect(codeOf(() => readLaunchCommand(folder))).toBe('folder_unsafe');
    fs.chmodSync(folder, 0o700);
    fs.chmodSync(path.join(folder, 'launch.json'), 0o620);
    expect(codeOf(() => readLaunchCommand(folder))).toBe('file_unsafe');
    writeLaunchCommand(folder, { command: 'vestnik', args: [] });
    expect(codeOf(() => readLaunchCommand(folder))).toBe('file_malformed');
  });

  it('and the launch command carries the desktop session and our settings, nothing else of the environment', () => {
    const env = { DISPLAY: ':7', VESTNIK_PROTOCOL: '/p.json', API_TOKEN: 'secret', PATH: '/bin', LANG: undefined };
    expect(sessionVariables(env)).toEqual({ DISPLAY: ':7', VESTNIK_PROTOCOL: '/p.json' });
  });
});
