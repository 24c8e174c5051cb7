import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { installShimCopy, shimCopyPath } from '../../app/bridge/shim-copy.ts';

describe("the clients' copy of the shim", () => {
  let base: string;
  let source: string;
  let data: string;
  beforeEach(() => {
    base = fs.mkdtempSync(path.join(os.tmpdir(), 'vestnik-copy-'));
    source = path.join(base, 'vestnik-mcp.cjs');
    data = path.join(base, 'data');
    fs.writeFileSync(source, 'one');
  });
  afterEach(() => fs.rmSync(base, { recursive: true }));

  it('is made once and stays at its path over updates', () => {
    const file = shimCopyPath(data, 'vestnik-mcp.cjs');
    expect(installShimCopy(source, data)).toEqual({ file, isNew: true });
    expect(installShimCopy(source, data)).toEqual({ file, isNew: false });
    fs.writeFileSync(source, 'two');
    expect(installShimCopy(source, data)).toEqual({ file, isNew: true });
    expect(fs.readFileSync(file, 'utf8')).toBe('two');
    expect(fs.readdirSync(path.dirname(file))).toEqual(['vestnik-mcp.cjs']);
    expect(fs.statSync(file).mode & 0o077).toBe(0);
  });

  it('is put right when somebody changed it or put a link there', () => {
    const { file } = installShimCopy(source, data);
    fs.rmSync(file);
    fs.symlinkSync(source, file);
    installShimCopy(source, data);
    expect(fs.lstatSync(file).isFile()).toBe(true);
    fs.writeFileSync(file, 'other');
    expect(installShimCopy(source, data).isNew).toBe(true);
    expect(fs.readFileSync(file, 'utf8')).toBe('one');
    expect(fs.readFileSync(source, 'utf8')).toBe('one');
  });

  it('of a large executable is written once, and again when the build is another', () => {
    fs.writeFileSync(source, Buffer.alloc(2_000_000, 'a'));
    expect(installShimCopy(source, data).isNew).toBe(true);
    expect(installShimCopy(source, data).isNew).toBe(false);
    fs.writeFileSync(source, Buffer.alloc(2_000_000, 'b'));
    fs.utimesSync(source, new Date(), new Date(Date.now() + 60_000)); // the same size, built later
    const { file, isNew } = installShimCopy(source, data);
    expect(isNew).toBe(true);
    expect(fs.readFileSync(file).equals(fs.readFileSync(source))).toBe(true);
  });
});
