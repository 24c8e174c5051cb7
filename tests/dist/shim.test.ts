import { execFile, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { validateManifest, unpackExtension } from '@anthropic-ai/mcpb';
import { expect, it } from 'vitest';
import { buildMcpb } from '../../build/packaging/mcpb.mjs';
import { packedApp } from '../../build/packaging/packed-paths.mjs';
import { seaPath } from '../../build/packaging/sea.mjs';
import { projectRoot, temporaryFolder } from '../e2e/harness/index.ts';

const execute = promisify(execFile);
const executable = seaPath(`${process.platform}-${process.arch}`);
const packedExecutable = path.join(packedApp.resources, 'shim', path.basename(executable));
const { version } = JSON.parse(fs.readFileSync(path.join(projectRoot, 'package.json'), 'utf8')) as { version: string };

/** Nothing of this machine's Node: what a person has who never heard of it. */
const bareEnvironment = (userData: string): Record<string, string> => ({ PATH: '/nonexistent', HOME: path.dirname(userData), VESTNIK_USER_DATA: userData });

async function toolsOf(command: string, args: string[], env: Record<string, string>): Promise<string[]> {
  const client = new Client({ name: 'dist-test', version: '1.0.0' });
  await client.connect(new StdioClientTransport({ command, args, env, stderr: 'ignore' }));
  try {
    return (await client.listTools()).tools.map((tool) => tool.name);
  } finally {
    await client.close();
  }
}

it('the single executable lies in the package, runs without any Node, and answers as the script does', async () => {
  const { stdout } = await execute(packedExecutable, ['--version'], { env: bareEnvironment(temporaryFolder()) });
  expect(stdout.trim()).toBe(version);
  const fromScript = await toolsOf(process.execPath, [path.join(projectRoot, 'release/app/out/shim/vestnik-mcp.cjs')], bareEnvironment(temporaryFolder()));
  expect(fromScript).toContain('send_message');
  expect(await toolsOf(packedExecutable, [], bareEnvironment(temporaryFolder()))).toEqual(fromScript);
});

it('the single executable writes JSON-RPC to stdout and nothing else, and ends when its client does', async () => {
  const child = spawn(packedExecutable, [], { env: bareEnvironment(temporaryFolder()), stdio: ['pipe', 'pipe', 'ignore'] });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'dist-test', version: '1' } };
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
  await new Promise((resolve) => reader.once('line', resolve));
  child.stdin.end();
  expect(await ended).toBe(0);
  expect(lines.map((line) => (JSON.parse(line) as { jsonrpc: string; id: number }).id)).toEqual([1]);
});

it('the extension of Claude Desktop is valid, and its server lists the same tools as its manifest', async () => {
  const folder = temporaryFolder('mcpb');
  const bundle = await buildMcpb(path.join(path.dirname(folder), 'vestnik.mcpb'));
  expect(await unpackExtension({ mcpbPath: bundle, outputDir: folder, silent: true })).toBe(true);
  expect(validateManifest(path.join(folder, 'manifest.json'))).toBe(true);
  const manifest = JSON.parse(fs.readFileSync(path.join(folder, 'manifest.json'), 'utf8')) as {
    version: string;
    tools: { name: string }[];
    server: { mcp_config: { command: string; args: string[] } };
  };
  expect(manifest.version).toBe(version);
  const { command, args } = manifest.server.mcp_config;
  expect(command).toBe('node');
  const resolved = args.map((argument) => argument.replace('${__dirname}', folder));
  expect(await toolsOf(process.execPath, resolved, bareEnvironment(temporaryFolder()))).toEqual(manifest.tools.map((tool) => tool.name));
  const files = fs.readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  expect(files.map((entry) => entry.name).filter((name) => !['manifest.json', 'icon.png', 'LICENSE', 'vestnik-mcp.cjs'].includes(name))).toEqual([]);
});
