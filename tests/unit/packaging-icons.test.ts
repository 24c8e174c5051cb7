import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { icns, ico } from '../../build/icons/containers.mjs';
import { renderIcons } from '../../build/icons/render.mjs';

const projectRoot = path.resolve(import.meta.dirname, '../..');

const png = (text: string): Buffer => Buffer.from(text);

it('every icon in the tree is what its one source renders to', () => {
  for (const [name, content] of renderIcons()) {
    expect(fs.existsSync(path.join(projectRoot, name)), `${name} is missing: run node build/icons/render.mjs`).toBe(true);
    // Other processors may round a pixel differently; there only the presence counts.
    if (process.platform === 'linux' && process.arch === 'x64') {
      expect(fs.readFileSync(path.join(projectRoot, name)).equals(content), `${name} is stale: run node build/icons/render.mjs`).toBe(true);
    }
  }
});

it('no icon lies in the tree that the source does not make', () => {
  const made = renderIcons();
  for (const folder of ['main/assets', 'build/icons/rendered']) {
    for (const name of fs.readdirSync(path.join(projectRoot, folder))) expect(made.has(`${folder}/${name}`), `${folder}/${name}`).toBe(true);
  }
});

it('Windows finds every picture of an icon where its table says', () => {
  const icon = ico([
    { px: 16, png: png('small') },
    { px: 256, png: png('large one') },
  ]);
  expect(icon.readUInt16LE(4)).toBe(2);
  expect([icon.readUInt8(6), icon.readUInt8(22)]).toEqual([16, 0]);
  const second = icon.readUInt32LE(22 + 12);
  expect(icon.subarray(second, second + icon.readUInt32LE(22 + 8)).toString()).toBe('large one');
  expect(() => ico([{ px: 512, png: png('') }])).toThrow(RangeError);
});

it('macOS finds every picture of an icon by walking its blocks', () => {
  const icon = icns((px) => png(`picture of ${px}`));
  expect(icon.toString('latin1', 0, 4)).toBe('icns');
  expect(icon.readUInt32BE(4)).toBe(icon.length);
  const found: Record<string, string> = {};
  for (let at = 8; at < icon.length; at += icon.readUInt32BE(at + 4)) {
    found[icon.toString('latin1', at, at + 4)] = icon.toString('utf8', at + 8, at + icon.readUInt32BE(at + 4));
  }
  expect(found).toMatchObject({ ic07: 'picture of 128', ic10: 'picture of 1024', ic11: 'picture of 32' });
});
