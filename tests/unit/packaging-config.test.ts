import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Configuration } from 'electron-builder';
import { buildOverrides, dropEmptySigning } from '../../build/packaging/dist.mjs';

const projectRoot = path.resolve(import.meta.dirname, '../..');
const require = createRequire(import.meta.url);

interface BuilderInternals {
  getConfig(projectDir: string, configPath: string | null, overrides: Configuration | null): Promise<Configuration>;
  validateConfiguration(config: Configuration, log: { isEnabled: boolean; add(): void }): Promise<void>;
}
// electron-builder's own loading and schema: what it would refuse at release time is refused here.
const builder = require('app-builder-lib/out/util/config/config.js') as BuilderInternals;
const plist = createRequire(require.resolve('app-builder-lib/package.json'))('plist') as { parse(xml: string): Record<string, unknown> };

const load = (overrides: Configuration | null = null): Promise<Configuration> => builder.getConfig(projectRoot, null, overrides);
const validate = (config: Configuration): Promise<void> => builder.validateConfiguration(config, { isEnabled: false, add: () => undefined });
const inProject = (file: string): string => path.join(projectRoot, file);

/** Targets of one system as `name arch,arch`. */
function targetsOf(config: Configuration, system: 'mac' | 'win' | 'linux'): string[] {
  const targets = config[system]?.target as { target: string; arch: string[] }[];
  return targets.map(({ target, arch }) => `${target} ${arch.join(',')}`);
}

describe('the packaging configuration', () => {
  it('is one that electron-builder accepts, for all three systems', async () => {
    const config = await load();
    await validate(config);
    expect(targetsOf(config, 'mac')).toEqual(['dmg arm64,x64', 'zip arm64,x64']);
    expect(targetsOf(config, 'win')).toEqual(['nsis x64,arm64']);
    expect(targetsOf(config, 'linux')).toEqual(['AppImage x64,arm64', 'deb x64,arm64']);
  });

  it('is refused when a key is misspelt, so that the test above means something', async () => {
    const config = await load();
    await expect(validate({ ...config, mac: { ...config.mac, hardenedRuntimes: true } } as Configuration)).rejects.toThrow(/configuration\.mac should be/);
  });

  it('stays acceptable with what dist.mjs adds: a feed, or a folder for trying', async () => {
    const released = await load(buildOverrides({ isDir: false, feed: 'https://updates.example/vestnik' }));
    await validate(released);
    expect(released.publish).toMatchObject({ provider: 'generic', url: 'https://updates.example/vestnik' });
    expect((await load(buildOverrides({ isDir: false, feed: undefined }))).publish).toBeNull();
  });

  it('takes a secret that a CI does not have for absent', () => {
    const environment = { CSC_LINK: '', WIN_CSC_LINK: 'file:///certificate.p12', APPLE_API_KEY_ID: '', PATH: '' };
    dropEmptySigning(environment);
    expect(environment).toEqual({ WIN_CSC_LINK: 'file:///certificate.p12', PATH: '' });
  });

  it('names files that are there', async () => {
    const config = await load();
    const named = [config.mac?.icon, config.win?.icon, config.linux?.icon, config.mac?.entitlements, config.mac?.entitlementsInherit];
    const hooks = [config.beforeBuild, config.afterPack, config.nsis?.include];
    for (const file of [...named, ...hooks]) expect(fs.existsSync(inProject(String(file))), String(file)).toBe(true);
  });

  it('sets every fuse that the design names', async () => {
    expect((await load()).electronFuses).toMatchObject({
      runAsNode: false,
      enableNodeOptionsEnvironmentVariable: false,
      enableNodeCliInspectArguments: false,
      enableCookieEncryption: true,
      enableEmbeddedAsarIntegrityValidation: true,
      onlyLoadAppFromAsar: true,
      grantFileProtocolExtraPrivileges: false,
    });
  });

  it('makes a tray app of macOS 13 or later, hardened and notarised', async () => {
    const { mac } = await load();
    expect(mac).toMatchObject({ hardenedRuntime: true, notarize: true, minimumSystemVersion: '13.0', extendInfo: { LSUIElement: true } });
  });

  it('installs per user on Windows and leaves the data of the person to the person', async () => {
    expect((await load()).nsis).toMatchObject({ oneClick: true, perMachine: false, deleteAppDataOnUninstall: false });
  });

  it('opens vestnik: links and nothing else', async () => {
    expect((await load()).protocols).toMatchObject([{ schemes: ['vestnik'] }]);
  });

  it.each([
    ['build/entitlements.mac.plist', ['com.apple.security.cs.allow-jit']],
    ['build/entitlements.mac.inherit.plist', ['com.apple.security.cs.allow-jit', 'com.apple.security.cs.allow-unsigned-executable-memory']],
  ])('%s asks for nothing that it does not need', (file, wanted) => {
    expect(Object.keys(plist.parse(fs.readFileSync(inProject(file), 'utf8')))).toEqual(wanted);
  });
});
