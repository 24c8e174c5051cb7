import fs from 'node:fs';
import path from 'node:path';
import { extractFile, listPackage, statFile } from '@electron/asar';
import { FuseV1Options, FuseVersion, getCurrentFuseWire } from '@electron/fuses';
import { beforeAll, describe, expect, it } from 'vitest';
import { packedApp, testBuild } from '../../build/packaging/packed-paths.mjs';
import { makeTestBuild } from '../../build/packaging/test-build.mjs';

const OUR_CODE_LIMIT_BYTES = 5_000_000;
const SHIM_LIMIT_BYTES = 64 * 1024;
/** How a fuse reads in the binary: a character. */
const ENABLE = '1'.charCodeAt(0);
const DISABLE = '0'.charCodeAt(0);

beforeAll(() => {
  expect(fs.existsSync(packedApp.asar), 'run `npm run dist:dir` first').toBe(true);
});

/** Files of the archive with their size in bytes. */
function archived(): Map<string, number> {
  const files = new Map<string, number>();
  for (const entry of listPackage(packedApp.asar, { isPack: false })) {
    const name = entry.replaceAll('\\', '/').replace(/^\//, '');
    const stat = statFile(packedApp.asar, name);
    if ('size' in stat) files.set(name, stat.size);
  }
  return files;
}

describe('the package', () => {
  it('holds what runs and nothing else', () => {
    const known = [
      /^package\.json$/,
      /^out\/main\/index\.cjs$/,
      /^out\/preload\/index\.cjs$/,
      /^out\/renderer\/index\.html$/,
      /^out\/renderer\/assets\/[\w-]+\.(js|css|woff2|svg|png)$/,
      /^out\/shim\/vestnik-mcp\.cjs$/,
      /^out\/assets\/(icon|tray-(online|attention|paused|signed-out)(Template)?(@2x)?)\.(png|ico)$/,
    ];
    const files = [...archived().keys()];
    expect(files.filter((name) => !known.some((pattern) => pattern.test(name)))).toEqual([]);
    for (const name of ['out/main/index.cjs', 'out/preload/index.cjs', 'out/renderer/index.html', 'out/shim/vestnik-mcp.cjs']) expect(files).toContain(name);
  });

  it('is small: our code stays under 5 MB', () => {
    const bytes = [...archived().values()].reduce((sum, size) => sum + size, 0);
    expect(bytes).toBeGreaterThan(100_000);
    expect(bytes).toBeLessThan(OUR_CODE_LIMIT_BYTES);
  });

  it('carries a shim that is one small file without dependencies', () => {
    const shim = extractFile(packedApp.asar, 'out/shim/vestnik-mcp.cjs').toString('utf8');
    expect(Buffer.byteLength(shim)).toBeLessThan(SHIM_LIMIT_BYTES);
    const required = [...shim.matchAll(/\brequire\("([^"]+)"\)/g)].map((match) => match[1]);
    expect(required.length).toBeGreaterThan(0);
    expect(required.filter((name) => !name?.startsWith('node:'))).toEqual([]);
  });

  it('says who it is and leaves the workshop at home', () => {
    const manifest = JSON.parse(extractFile(packedApp.asar, 'package.json').toString('utf8')) as Record<string, unknown>;
    expect(manifest).toMatchObject({ name: 'vestnik', productName: 'Vestnik', main: 'out/main/index.cjs' });
    for (const field of ['scripts', 'dependencies', 'devDependencies', 'engines']) expect(manifest).not.toHaveProperty(field);
  });

  it('contains no source map, no path of the machine that built it', () => {
    const main = extractFile(packedApp.asar, 'out/main/index.cjs').toString('utf8');
    expect(main).not.toContain('sourceMappingURL=');
    expect(main).not.toContain(process.cwd());
  });

  it.runIf(process.platform === 'linux')('speaks Russian and English only', () => {
    expect(fs.readdirSync(path.join(packedApp.folder, 'locales')).sort()).toEqual(['en-US.pak', 'ru.pak']);
  });

  it("leaves out Electron's own default app", () => {
    const resources = fs.readdirSync(packedApp.resources);
    expect(resources).toContain('app.asar');
    expect(resources).not.toContain('default_app.asar');
    expect(fs.existsSync(path.join(packedApp.folder, 'version'))).toBe(false);
  });

  it('asks no update feed unless the build was told of one', () => {
    expect(fs.existsSync(path.join(packedApp.resources, 'app-update.yml'))).toBe(Boolean(process.env['VESTNIK_UPDATE_FEED']));
  });
});

describe('the fuses of the packed program', () => {
  const wanted: readonly [keyof typeof FuseV1Options, number][] = [
    ['RunAsNode', DISABLE],
    ['EnableNodeOptionsEnvironmentVariable', DISABLE],
    ['EnableNodeCliInspectArguments', DISABLE],
    ['EnableCookieEncryption', ENABLE],
    ['EnableEmbeddedAsarIntegrityValidation', ENABLE],
    ['OnlyLoadAppFromAsar', ENABLE],
    ['GrantFileProtocolExtraPrivileges', DISABLE],
    ['LoadBrowserProcessSpecificV8Snapshot', DISABLE],
  ];

  it.each(wanted)('%s is set as the design says', async (fuse, state) => {
    const wire = await getCurrentFuseWire(packedApp.fuses);
    expect(wire.version).toBe(FuseVersion.V1);
    expect(wire[FuseV1Options[fuse]]).toBe(state);
  });

  it.runIf(process.platform === 'linux')('differ in the test build by the inspector alone', async () => {
    await makeTestBuild();
    const [shipped, test] = [await getCurrentFuseWire(packedApp.fuses), await getCurrentFuseWire(testBuild.fuses)];
    expect(test).toEqual({ ...shipped, [FuseV1Options.EnableNodeCliInspectArguments]: ENABLE });
    expect(fs.readFileSync(testBuild.asar).equals(fs.readFileSync(packedApp.asar))).toBe(true);
  });
});
