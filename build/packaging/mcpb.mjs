// The shim as an extension of Claude Desktop, installed by a double click: node build/packaging/mcpb.mjs → release/Vestnik-<version>.mcpb
// Claude Desktop brings a Node of its own, so the bundle is one script; the app itself is installed apart.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { packExtension } from '@anthropic-ai/mcpb';
import { bundleShim } from '../bundle-shim.mjs';
import { projectRoot } from '../setup/run.mjs';
import { toolsSnapshot } from '../tools-snapshot.mjs';

const SCRIPT = 'server/vestnik-mcp.cjs';
const LONG_DESCRIPTION = `Vestnik is a tray app that signs you into Yandex Messenger in a window of its own. This extension connects Claude to it: reading over MCP,
and for everything that cannot be undone a draft that waits for your click in Vestnik's window.

Install and start Vestnik first. The extension holds no password, no cookie and no message.`;

/**
 * @param {{ version: string, description: string, license: string, author: string }} manifest of the project
 * @param {readonly { name: string, title?: string, description?: string }[]} tools as the server lists them
 */
export function extensionManifest({ version, description, license, author }, tools) {
  return {
    manifest_version: '0.3',
    name: 'vestnik',
    display_name: 'Vestnik: Yandex Messenger',
    version,
    description,
    long_description: LONG_DESCRIPTION,
    author: { name: author },
    license,
    icon: 'icon.png',
    server: { type: 'node', entry_point: SCRIPT, mcp_config: { command: 'node', args: [`\${__dirname}/${SCRIPT}`], env: {} } },
    tools: tools.map(({ name, title, description: text }) => ({ name, description: title ?? text ?? name })),
    keywords: ['yandex', 'messenger', 'chat'],
    compatibility: { platforms: ['darwin', 'win32', 'linux'], runtimes: { node: '>=20' } },
  };
}

/**
 * @param {string} [outputPath]
 * @returns {Promise<string>} path of the bundle; throws when the manifest is not valid
 */
export async function buildMcpb(outputPath) {
  const project = JSON.parse(fs.readFileSync(path.join(projectRoot, 'package.json'), 'utf8'));
  const file = outputPath ?? path.join(projectRoot, `release/Vestnik-${project.version}.mcpb`);
  const snapshot = await toolsSnapshot();
  const work = fs.mkdtempSync(path.join(os.tmpdir(), 'vestnik-mcpb-'));
  try {
    fs.writeFileSync(path.join(work, 'manifest.json'), `${JSON.stringify(extensionManifest(project, snapshot.tools), null, 2)}\n`);
    await bundleShim({ snapshot, outfile: path.join(work, SCRIPT) });
    fs.copyFileSync(path.join(projectRoot, 'build/icons/rendered/512x512.png'), path.join(work, 'icon.png'));
    const license = path.join(projectRoot, 'LICENSE');
    if (fs.existsSync(license)) fs.copyFileSync(license, path.join(work, 'LICENSE'));
    fs.mkdirSync(path.dirname(file), { recursive: true });
    if (!(await packExtension({ extensionPath: work, outputPath: file, silent: true })))
      throw new Error('The bundle could not be packed: its manifest is not valid.');
  } finally {
    fs.rmSync(work, { recursive: true, force: true });
  }
  return file;
}

if (process.argv[1] && path.resolve(process.argv[1]) === import.meta.filename) console.log(path.relative(projectRoot, await buildMcpb()));
