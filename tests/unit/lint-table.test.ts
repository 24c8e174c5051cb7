import fs from 'node:fs';
import path from 'node:path';
import { ESLint } from 'eslint';
import { beforeAll, describe, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');

/** Design §1 once more, by hand: the configuration is checked against this and not against itself. */
const folders = {
  'app/wire': [],
  'app/messenger': ['app/wire'],
  'app/approvals': [],
  'app/mcp': ['app/messenger', 'app/approvals'],
  'app/bridge': [],
  'app/shim': ['app/bridge'],
  'app/ipc': [],
  main: ['app/wire', 'app/messenger', 'app/approvals', 'app/mcp', 'app/bridge', 'app/shim', 'app/ipc'],
  preload: ['app/ipc'],
  renderer: ['app/ipc'],
} as const satisfies Record<string, readonly string[]>;
const names = Object.keys(folders) as (keyof typeof folders)[];

let eslint: ESLint;

beforeAll(() => {
  eslint = new ESLint({
    cwd: root,
    // Files that exist only in this test have no type information.
    overrideConfig: { files: ['**/*.ts'], languageOptions: { parserOptions: { projectService: false } } },
    ruleFilter: ({ ruleId }) => ['boundaries/dependencies', 'no-restricted-syntax'].includes(ruleId),
  });
});

/** What the lint says about a file of that folder with that code, as rule names. */
async function complaints(file: string, code: string): Promise<string[]> {
  const [result] = await eslint.lintText(code, { filePath: path.join(root, file) });
  if (!result) throw new Error(`${file} is ignored by the lint`);
  const fatal = result.messages.find((message) => message.fatal);
  if (fatal) throw new Error(fatal.message);
  return result.messages.map((message) => message.ruleId ?? 'none');
}

/** Some file of that folder to import; null while the folder is empty. */
function someFile(folder: string): string | null {
  const files = fs.readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' });
  const found = files.find((file) => /\.tsx?$/.test(file));
  return found ? `${folder}/${found.split(path.sep).join('/')}` : null;
}

function importOf(from: string, target: string): string {
  const relative = path.posix.relative(from, target);
  return `import '${relative.startsWith('.') ? relative : `./${relative}`}';`;
}

describe('imports between our own folders', () => {
  for (const from of names) {
    for (const to of names) {
      const target = someFile(to);
      if (target === null) continue;
      const isAllowed = from === to || (folders[from] as readonly string[]).includes(to);
      it(`${from} ${isAllowed ? 'may' : 'may not'} import ${to}`, async () => {
        expect(await complaints(`${from}/probe.ts`, importOf(from, target))).toEqual(isAllowed ? [] : ['boundaries/dependencies']);
      });
    }
  }

  it('the product imports neither tests nor build scripts', async () => {
    for (const from of names) {
      expect(await complaints(`${from}/probe.ts`, importOf(from, 'tests/unit/lint-table.test.ts'))).toEqual(['boundaries/dependencies']);
      expect(await complaints(`${from}/probe.ts`, importOf(from, 'build/bundle.mjs'))).toEqual(['boundaries/dependencies']);
    }
  });

  it('a re-export, a type import and an import() count, too', async () => {
    const target = '../ipc/contract.ts';
    expect(await complaints('app/wire/probe.ts', `export * from '${target}';`)).toHaveLength(1);
    expect(await complaints('app/wire/probe.ts', `import type { Settings } from '${target}'; export type X = Settings;`)).toHaveLength(1);
    expect(await complaints('app/wire/probe.ts', `void import('${target}');`)).toHaveLength(1);
  });

  it('the composition root of app may see all of app', async () => {
    const targets = names.filter((name) => name.startsWith('app/')).map((name) => someFile(name));
    const code = targets.map((target) => (target === null ? '' : importOf('app', target))).join('\n');
    expect(await complaints('app/core.ts', code)).toEqual([]);
    expect(await complaints('app/core.ts', importOf('app', 'main/paths.ts'))).toHaveLength(1);
  });

  it('tests may import anything', async () => {
    const code = names.map((name) => someFile(name)).map((target) => (target === null ? '' : importOf('tests/unit', target)));
    expect(await complaints('tests/unit/probe.test.ts', code.join('\n'))).toEqual([]);
  });
});

describe('imports of packages', () => {
  const appFolders = names.filter((name) => name.startsWith('app/'));

  it.each([...appFolders, 'app', 'renderer'])('%s never imports electron', async (folder) => {
    for (const code of [
      "import { app } from 'electron'; void app;",
      "import 'electron/main';",
      "void import('electron');",
      "import Store from 'electron-store'; void Store;",
    ]) {
      expect(await complaints(`${folder}/probe.ts`, code), code).toEqual(['boundaries/dependencies']);
    }
  });

  it('main and preload may import electron', async () => {
    for (const folder of ['main', 'preload']) expect(await complaints(`${folder}/probe.ts`, "import 'electron';")).toEqual([]);
  });

  it('only app/mcp imports the MCP SDK', async () => {
    const code = "import '@modelcontextprotocol/sdk/server/mcp.js';";
    for (const folder of [...names, 'app']) {
      expect(await complaints(`${folder}/probe.ts`, code), folder).toEqual(folder === 'app/mcp' ? [] : ['boundaries/dependencies']);
    }
  });

  it('the shim and the bridge use Node and no package', async () => {
    for (const folder of ['app/shim', 'app/bridge']) {
      expect(await complaints(`${folder}/probe.ts`, "import 'node:net'; import 'crypto';")).toEqual([]);
      for (const name of ['ws', 'zod', 'zod/v4', '@msgpack/msgpack']) {
        expect(await complaints(`${folder}/probe.ts`, `import '${name}';`), name).toEqual(['boundaries/dependencies']);
      }
    }
  });

  it('the contract of the window knows nothing of Node', async () => {
    expect(await complaints('app/ipc/probe.ts', "import 'node:fs';")).toEqual(['boundaries/dependencies']);
    expect(await complaints('app/ipc/probe.ts', "import 'zod';")).toEqual([]);
  });
});

describe('handlers of the window', () => {
  const code = "import { ipcMain } from 'electron'; ipcMain.handle('x', () => 1);";

  it('are registered in the gate', async () => {
    expect(await complaints('main/ipc.ts', code)).toEqual([]);
  });

  it('are registered nowhere else', async () => {
    expect(await complaints('main/windows.ts', code)).not.toEqual([]);
    expect(await complaints('main/windows.ts', "import * as electron from 'electron'; electron.ipcMain.handle('x', () => 1);")).not.toEqual([]);
  });
});
