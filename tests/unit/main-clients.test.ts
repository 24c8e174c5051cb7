import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ConfigUnusableError, pointsTo, readEntry, removeEntry, writeEntry } from '../../main/clients/config-edit.ts';
import { clientIdOf, knownClients, type Surroundings } from '../../main/clients/known-clients.ts';
import { ClientSetup } from '../../main/clients/setup.ts';
import { copyShim, findNode, shimEntry } from '../../main/clients/shim-copy.ts';

const ENTRY = { command: '/usr/bin/node', args: ['/data/shim/vestnik-mcp.cjs'] };

describe('writing our entry', () => {
  it('leaves every other byte as it was, comments, tabs, order and line ends included', () => {
    const before = '\uFEFF{\r\n\t// mine\r\n\t"mcpServers": {\r\n\t\t"other": { "command": "x" }\r\n\t},\r\n\t"theme": "dark"\r\n}\r\n';
    const after = writeEntry(before, 'mcpServers', ENTRY);
    expect(readEntry(after, 'mcpServers')).toEqual(ENTRY);
    expect(after.startsWith('\uFEFF{\r\n\t// mine\r\n\t"mcpServers": {\r\n\t\t"other": { "command": "x" },')).toBe(true);
    expect(after.endsWith('\t},\r\n\t"theme": "dark"\r\n}\r\n')).toBe(true);
    expect(after.replaceAll('\r\n', '')).not.toContain('\n');
    expect(readEntry(removeEntry(after, 'mcpServers'), 'mcpServers')).toBeUndefined();
    expect(removeEntry(after, 'mcpServers')).toContain('"other": { "command": "x" }');
  });

  it('looks as if written by hand', () => {
    const entry = { command: '/n', args: ['/s'] };
    const written = [
      '{',
      '  "servers": {',
      '    "vestnik": {',
      '      "command": "/n",',
      '      "args": [',
      '        "/s"',
      '      ]',
      '    }',
      '  }',
      '}',
      '',
    ].join('\n');
    for (const start of ['', '{}\n', '{\n}\n', '{\n  "servers": {}\n}\n']) expect(writeEntry(start, 'servers', entry)).toBe(written);
    expect(writeEntry(written, 'servers', { command: '/m' })).toBe('{\n  "servers": {\n    "vestnik": {\n      "command": "/m"\n    }\n  }\n}\n');
    expect(writeEntry('{\n    "a": 1,\n}', 'servers', { command: '/m' })).toContain('"a": 1,\n    "servers": {\n        "vestnik": {');
  });

  it('makes a file where there is none, and does nothing where nothing is to be removed', () => {
    expect(JSON.parse(writeEntry('', 'servers', ENTRY))).toEqual({ servers: { vestnik: ENTRY } });
    expect(removeEntry('{ "a": 1 }', 'servers')).toBe('{ "a": 1 }');
  });

  it.each(['{ "mcpServers": ', '[]', '"text"', '{ "mcpServers": [] }', '{ "a": 1 } trailing'])('refuses %s rather than risk it', (text) => {
    expect(() => writeEntry(text, 'mcpServers', ENTRY)).toThrow(ConfigUnusableError);
  });

  it('an entry of an older place is told apart, a person’s own variables are not', () => {
    expect(pointsTo({ ...ENTRY, env: { EXTRA: '1' } }, ENTRY)).toBe(true);
    expect(pointsTo({ command: '/usr/bin/node', args: ['/old.cjs'] }, ENTRY)).toBe(false);
    expect(pointsTo('nonsense', ENTRY)).toBe(false);
  });
});

describe('where clients keep their configuration', () => {
  const around = (platform: NodeJS.Platform, home: string, env: Record<string, string> = {}, packages: string[] = []): Surroundings => ({
    platform,
    home,
    env,
    exists: () => false,
    list: (folder) => (folder.endsWith('Packages') ? packages : []),
  });
  const place = (surroundings: Surroundings, id: string) => knownClients(surroundings).find((client) => client.id === id)?.configPath;

  it('on macOS', () => {
    const mac = around('darwin', '/Users/anna');
    expect(place(mac, 'claude-desktop')).toBe('/Users/anna/Library/Application Support/Claude/claude_desktop_config.json');
    expect(place(mac, 'vscode')).toBe('/Users/anna/Library/Application Support/Code/User/mcp.json');
    expect(place(mac, 'cursor')).toBe('/Users/anna/.cursor/mcp.json');
    expect(place(mac, 'claude-code')).toBe('/Users/anna/.claude.json');
  });

  it('on Windows, also for the packaged Claude, which reads a place of its own', () => {
    const env = { APPDATA: 'C:\\Users\\anna\\AppData\\Roaming', LOCALAPPDATA: 'C:\\Users\\anna\\AppData\\Local' };
    expect(place(around('win32', 'C:\\Users\\anna', env), 'claude-desktop')).toBe('C:\\Users\\anna\\AppData\\Roaming\\Claude\\claude_desktop_config.json');
    expect(place(around('win32', 'C:\\Users\\anna', env, ['Microsoft.Foo_8wekyb', 'Claude_pzs8sxrjxfjjc']), 'claude-desktop')).toBe(
      'C:\\Users\\anna\\AppData\\Local\\Packages\\Claude_pzs8sxrjxfjjc\\LocalCache\\Roaming\\Claude\\claude_desktop_config.json',
    );
  });

  it.each([
    ['claude-ai', 'claude-desktop'],
    ['claude-code', 'claude-code'],
    ['Visual Studio Code', 'vscode'],
    ['cursor-vscode', 'cursor'],
    ['e2e-agent', undefined],
  ])('a client that calls itself %s is %s', (name, id) => expect(clientIdOf(name)).toBe(id));
});

describe('setting up a client', () => {
  let home: string;
  beforeEach(() => (home = fs.mkdtempSync(path.join(os.tmpdir(), 'vk-'))));
  afterEach(() => fs.rmSync(home, { recursive: true, force: true }));
  const setup = (entry: typeof ENTRY | undefined = ENTRY) =>
    new ClientSetup(
      { platform: 'linux', home, env: {}, exists: (file) => fs.existsSync(file), list: () => [] },
      () => entry,
      () => ['claude-code'],
    );
  const view = (id: string) =>
    setup()
      .list()
      .find((client) => client.id === id);

  it('writes beside a copy of the file as it was, keeps its mode, and follows a link', () => {
    const real = path.join(home, 'dotfiles.json');
    fs.writeFileSync(real, '{ "mcpServers": { "other": {} } }', { mode: 0o640 });
    fs.mkdirSync(path.join(home, '.cursor'));
    fs.symlinkSync(real, path.join(home, '.cursor', 'mcp.json'));
    expect(setup().connect('cursor')).toEqual({ ok: true });
    expect(view('cursor')).toMatchObject({ detected: true, configured: true, outdated: false, problem: null });
    expect(fs.lstatSync(path.join(home, '.cursor', 'mcp.json')).isSymbolicLink()).toBe(true);
    expect((fs.statSync(real).mode & 0o777).toString(8)).toBe('640');
    const copy = fs.readdirSync(path.join(home, '.cursor')).find((name) => name.startsWith('mcp.json.before-vestnik-'));
    expect(fs.readFileSync(path.join(home, '.cursor', copy ?? ''), 'utf8')).toBe('{ "mcpServers": { "other": {} } }');
    expect(setup().disconnect('cursor')).toEqual({ ok: true });
    expect(JSON.parse(fs.readFileSync(real, 'utf8'))).toEqual({ mcpServers: { other: {} } });
  });

  it('never touches a file it cannot read, and says so', () => {
    const file = path.join(home, '.claude.json');
    fs.writeFileSync(file, '{ broken');
    expect(view('claude-code')).toMatchObject({ problem: 'invalid_json', connected: true });
    expect(setup().connect('claude-code')).toMatchObject({ ok: false, code: 'invalid_json' });
    expect(fs.readFileSync(file, 'utf8')).toBe('{ broken');
  });

  it('marks an entry that points elsewhere as outdated', () => {
    setup().connect('vscode');
    const moved = new ClientSetup(
      { platform: 'linux', home, env: {}, exists: () => true, list: () => [] },
      () => ({ ...ENTRY, command: '/opt/node' }),
      () => [],
    );
    expect(moved.list().find(({ id }) => id === 'vscode')).toMatchObject({ configured: true, outdated: true });
  });

  it('says that Node is missing instead of writing an entry that cannot run', () => {
    const without = new ClientSetup(
      { platform: 'linux', home, env: {}, exists: () => false, list: () => [] },
      () => undefined,
      () => [],
    );
    expect(without.connect('cursor')).toMatchObject({ ok: false, code: 'node_missing' });
  });

  it('quotes the command to paste', () => {
    const spaced = { command: '/opt/My Node/node', args: ["/data/it's.cjs"] };
    expect(setup(spaced).snippets().claudeCode).toBe(`claude mcp add --scope user vestnik -- '/opt/My Node/node' '/data/it'\\''s.cjs'`);
  });

  it('the shim is copied out of the app, per version and to a stable place', () => {
    const script = path.join(home, 'vestnik-mcp.cjs');
    fs.writeFileSync(script, '// one');
    const copy = copyShim({ script, binary: undefined }, path.join(home, 'data'), '1.0.0');
    expect(copy?.script).toBe(path.join(home, 'data', 'shim', 'vestnik-mcp.cjs'));
    fs.writeFileSync(script, '// two');
    copyShim({ script, binary: undefined }, path.join(home, 'data'), '1.1.0');
    expect(fs.readFileSync(copy?.script ?? '', 'utf8')).toBe('// two');
    expect(fs.readFileSync(path.join(home, 'data', 'shim', '1.0.0', 'vestnik-mcp.cjs'), 'utf8')).toBe('// one');
    expect(shimEntry(copy, '/usr/bin/node', '/elsewhere')).toEqual({
      command: '/usr/bin/node',
      args: [copy?.script],
      env: { VESTNIK_USER_DATA: '/elsewhere' },
    });
    expect(shimEntry(copy, undefined, undefined)).toBeUndefined();
  });

  it('Node is looked for on PATH, then in its usual places, never relative to the current folder', () => {
    expect(findNode({ PATH: '.:bin:/opt/n/bin' }, 'linux', (file) => file.endsWith('/node'))).toBe('/opt/n/bin/node');
    expect(findNode({ PATH: '' }, 'darwin', (file) => file === '/opt/homebrew/bin/node')).toBe('/opt/homebrew/bin/node');
    expect(findNode({ Path: 'C:\\tools' }, 'win32', (file) => file === 'C:\\tools\\node.exe')).toBe('C:\\tools\\node.exe');
  });
});
