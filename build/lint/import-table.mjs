// The import table: which folder may import which. One row per folder; whatever is not listed is forbidden.
// The rule that holds it is in eslint.config.js, the proof that it bites in tests/unit/lint-table.test.ts.

/**
 * @typedef {object} Zone
 * @property {string} folder
 * @property {string[]} zones other zones it may import from; its own files are always allowed
 * @property {string[]} barredPackages packages it may not import, as patterns
 * @property {boolean} [isNodeBarred] whether Node's own modules are out of reach, too (pages and what pages share)
 */

const ELECTRON = ['electron', 'electron-store', 'electron-updater'];
const MCP_SDK = ['@modelcontextprotocol/*'];
const ALL_PACKAGES = ['*', '@*/*'];
const APP_ZONES = ['wire', 'messenger', 'approvals', 'mcp', 'bridge', 'shim', 'ipc', 'core'];

/** @type {Record<string, Zone>} */
export const importTable = {
  wire: { folder: 'app/wire', zones: [], barredPackages: [...ELECTRON, ...MCP_SDK] },
  messenger: { folder: 'app/messenger', zones: ['wire'], barredPackages: [...ELECTRON, ...MCP_SDK] },
  approvals: { folder: 'app/approvals', zones: [], barredPackages: [...ELECTRON, ...MCP_SDK] },
  mcp: { folder: 'app/mcp', zones: ['messenger', 'approvals'], barredPackages: ELECTRON },
  bridge: { folder: 'app/bridge', zones: [], barredPackages: ALL_PACKAGES },
  // The shim is one small file beside the app: Node and the bridge, no packages at all.
  shim: { folder: 'app/shim', zones: ['bridge'], barredPackages: ALL_PACKAGES },
  ipc: { folder: 'app/ipc', zones: [], barredPackages: [...ELECTRON, ...MCP_SDK], isNodeBarred: true },
  // app/core.ts, the composition root: the only file in app that may see all of it.
  core: { folder: 'app', zones: APP_ZONES.filter((zone) => zone !== 'core'), barredPackages: [...ELECTRON, ...MCP_SDK] },
  main: { folder: 'main', zones: APP_ZONES, barredPackages: MCP_SDK },
  preload: { folder: 'preload', zones: ['ipc'], barredPackages: [...MCP_SDK, 'electron-store', 'electron-updater'] },
  renderer: { folder: 'renderer', zones: ['ipc'], barredPackages: [...ELECTRON, ...MCP_SDK] },
  // Development scripts: the demo is the e2e harness and the simulator, shown to a person.
  build: { folder: 'build', zones: [...APP_ZONES, 'tests'], barredPackages: [] },
  tests: { folder: 'tests', zones: [...APP_ZONES, 'main', 'preload', 'renderer', 'build'], barredPackages: [] },
};
