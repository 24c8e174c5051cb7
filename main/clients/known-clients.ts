import path from 'node:path';
import type { McpClientView } from '../../app/ipc/contract.ts';

export type ClientId = McpClientView['id'];

/** What decides where clients keep their configuration; passed in, so that every system's rules are tested on any. */
export interface Surroundings {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  exists(file: string): boolean;
  /** Names in a folder; empty when it is not there. */
  list(folder: string): readonly string[];
}

export interface KnownClient {
  readonly id: ClientId;
  /** Key of the configuration that holds the servers. */
  readonly container: 'mcpServers' | 'servers';
  /** Whether an entry names its transport. */
  readonly hasType: boolean;
  /** Absolute path of the configuration, whether or not it exists yet. */
  readonly configPath: string;
  /** Whether the client seems to be installed. */
  readonly isDetected: boolean;
}

/** Package family names under which Claude Desktop comes as a Windows package (MSIX). */
const CLAUDE_PACKAGE = /^(Anthropic\.?Claude|Claude)(Desktop)?_/i;

function pathsOf({ platform }: Surroundings): path.PlatformPath {
  return platform === 'win32' ? path.win32 : path.posix;
}

/** Where desktop programs keep per-user settings. */
function settingsRoot(around: Surroundings): string {
  const paths = pathsOf(around);
  if (around.platform === 'win32') return around.env['APPDATA'] || paths.join(around.home, 'AppData', 'Roaming');
  if (around.platform === 'darwin') return paths.join(around.home, 'Library', 'Application Support');
  return around.env['XDG_CONFIG_HOME'] || paths.join(around.home, '.config');
}

/**
 * Folder of Claude Desktop. The packaged Windows version sees its own copy of Roaming below its package folder and never reads the
 * usual one, so that folder wins where the package is installed.
 */
function claudeDesktopFolder(around: Surroundings): string {
  const paths = pathsOf(around);
  if (around.platform === 'win32') {
    const packages = paths.join(around.env['LOCALAPPDATA'] || paths.join(around.home, 'AppData', 'Local'), 'Packages');
    const found = around.list(packages).find((name) => CLAUDE_PACKAGE.test(name));
    if (found !== undefined) return paths.join(packages, found, 'LocalCache', 'Roaming', 'Claude');
  }
  return paths.join(settingsRoot(around), 'Claude');
}

/** The MCP clients we can set up, with their places on this system. */
export function knownClients(around: Surroundings): readonly KnownClient[] {
  const paths = pathsOf(around);
  const claudeDesktop = claudeDesktopFolder(around);
  const isPackagedClaude = claudeDesktop.includes(`${paths.sep}Packages${paths.sep}`);
  const claudeCodeHome = around.env['CLAUDE_CONFIG_DIR'];
  const claudeCode = paths.join(claudeCodeHome || around.home, '.claude.json');
  const cursor = paths.join(around.home, '.cursor');
  const vscode = paths.join(settingsRoot(around), 'Code', 'User');
  return [
    {
      id: 'claude-desktop',
      container: 'mcpServers',
      hasType: false,
      configPath: paths.join(claudeDesktop, 'claude_desktop_config.json'),
      isDetected: isPackagedClaude || around.exists(claudeDesktop),
    },
    {
      id: 'claude-code',
      container: 'mcpServers',
      hasType: true,
      configPath: claudeCode,
      isDetected: around.exists(claudeCode) || around.exists(claudeCodeHome || paths.join(around.home, '.claude')),
    },
    { id: 'cursor', container: 'mcpServers', hasType: false, configPath: paths.join(cursor, 'mcp.json'), isDetected: around.exists(cursor) },
    { id: 'vscode', container: 'servers', hasType: true, configPath: paths.join(vscode, 'mcp.json'), isDetected: around.exists(vscode) },
  ];
}

/** Which known client calls itself so in `initialize`; names are the clients' own and may change, so this only lights a lamp in the window. */
export function clientIdOf(clientName: string): ClientId | undefined {
  const name = clientName.toLowerCase();
  if (name.includes('claude-code') || name.includes('claude code')) return 'claude-code';
  if (name.includes('claude')) return 'claude-desktop';
  if (name.includes('cursor')) return 'cursor';
  if (name.includes('visual studio code') || name.includes('vscode')) return 'vscode';
  return undefined;
}
