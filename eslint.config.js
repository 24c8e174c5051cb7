import js from '@eslint/js';
import prettier from 'eslint-config-prettier';
import boundaries from 'eslint-plugin-boundaries';
import reactHooks from 'eslint-plugin-react-hooks';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';
import { importTable } from './build/lint/import-table.mjs';

const TYPESCRIPT = ['**/*.{ts,tsx}'];
const zones = Object.entries(importTable);

/** Each zone may import itself and what its row lists; packages are free but for those it is barred from. */
const importPolicies = zones.flatMap(([from, zone]) => [
  { from: { element: { type: from } }, allow: { to: { element: { type: [from, ...zone.zones] } } } },
  ...(zone.barredPackages.length > 0
    ? [{ from: { element: { type: from } }, disallow: { to: { module: { origin: 'external', source: zone.barredPackages } } } }]
    : []),
  ...(zone.isNodeBarred ? [{ from: { element: { type: from } }, disallow: { to: { module: { origin: 'core' } } } }] : []),
]);

export default defineConfig(
  globalIgnores(['out/', 'release/', 'test-output/', '.electron-dist/', 'node_modules/']),
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  js.configs.recommended,
  {
    // Scripts: Node, untyped but for their JSDoc.
    files: ['**/*.{js,mjs,cjs}'],
    languageOptions: { globals: nodeGlobals() },
  },
  {
    files: TYPESCRIPT,
    extends: [tseslint.configs.recommended],
    languageOptions: { parserOptions: { projectService: { allowDefaultProject: ['*.ts'] }, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_', caughtErrorsIgnorePattern: '^_' }],
      // The rules that need types, chosen one by one: each catches a bug that has no other alarm.
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false, arguments: false } }],
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/only-throw-error': ['error', { allowThrowingAny: true, allowThrowingUnknown: true }], // signal.reason
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      'no-empty': ['error', { allowEmptyCatch: false }],
      // Text from chats is full of control characters; looking for them is the job here.
      'no-control-regex': 'off',
      eqeqeq: 'error',
    },
  },
  { files: ['renderer/**/*.{ts,tsx}'], ...reactHooks.configs.flat.recommended },
  {
    // Design §1: which folder may import which.
    files: ['**/*.{ts,tsx,js,mjs}'],
    plugins: { boundaries },
    settings: {
      'boundaries/elements': zones.map(([type, zone]) => ({ type, pattern: type === 'core' ? zone.folder : `${zone.folder}/**`, partialMatch: false })),
      'boundaries/ignore': ['package.json'], // its version may be read from anywhere
      'boundaries/dependency-nodes': ['import', 'export', 'dynamic-import', 'require'],
      'import/resolver': { typescript: { project: import.meta.dirname }, node: true },
    },
    rules: {
      'boundaries/dependencies': [
        'error',
        {
          default: 'disallow',
          checkUnknownLocals: true,
          checkAllOrigins: true,
          policies: [{ allow: { to: { module: { origin: ['external', 'core'] } } } }, ...importPolicies],
        },
      ],
    },
  },
  {
    // Every handler passes the gate in main/ipc.ts, which checks the sender and both directions of the contract.
    files: ['main/**/*.ts'],
    ignores: ['main/ipc.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        { selector: "Identifier[name='ipcMain']", message: 'Only the gate in main/ipc.ts talks to ipcMain.' },
        {
          selector: "CallExpression[callee.object.property.name='ipc']",
          message: 'Only the gate in main/ipc.ts registers handlers (webContents.ipc goes around it).',
        },
      ],
    },
  },
  prettier,
);

function nodeGlobals() {
  const names = ['process', 'console', 'Buffer', 'URL', 'URLSearchParams', 'AbortController', 'AbortSignal', 'fetch', 'performance', 'structuredClone'];
  const timers = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate', 'queueMicrotask', 'TextEncoder', 'TextDecoder'];
  return Object.fromEntries([...names, ...timers].map((name) => [name, 'readonly']));
}
