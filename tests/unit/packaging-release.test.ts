import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nodeBinary, nodePlatforms } from '../../build/packaging/node-binaries.mjs';
import { writeReleaseFiles } from '../../build/packaging/release-files.mjs';

let folder: string;

beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'vk-release-'));
});
afterAll(() => fs.rmSync(folder, { recursive: true }));

describe('the files beside a release', () => {
  it('list every published file with its checksum, and name what is compiled in', async () => {
    for (const name of ['Vestnik-1.0.0-win-x64.exe', 'latest.yml', 'builder-debug.yml', 'Vestnik-1.0.0.mcpb']) fs.writeFileSync(path.join(folder, name), name);
    fs.mkdirSync(path.join(folder, 'linux-unpacked'));
    const names = await writeReleaseFiles(folder);
    const bill = names.find((name) => name.endsWith('.cdx.json')) ?? '';
    expect(names).toEqual(['Vestnik-1.0.0-win-x64.exe', 'Vestnik-1.0.0.mcpb', bill, 'latest.yml'].sort());
    const sums = fs.readFileSync(path.join(folder, 'SHA256SUMS'), 'utf8');
    expect(sums).toContain(`${createHash('sha256').update('latest.yml').digest('hex')}  latest.yml\n`);

    const { components } = JSON.parse(fs.readFileSync(path.join(folder, bill), 'utf8')) as { components: { name: string; version: string }[] };
    const listed = components.map(({ name }) => name);
    expect(listed).toEqual(expect.arrayContaining(['ws', 'zod', 'electron-updater', 'electron', 'node']));
    expect(listed).not.toContain('vitest');
  });
});

it('a platform for which there is no Node is refused by name', async () => {
  expect(nodePlatforms.sort()).toEqual(['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64', 'win32-arm64', 'win32-x64']);
  await expect(nodeBinary('sunos-x64')).rejects.toThrow(/sunos-x64/);
});
