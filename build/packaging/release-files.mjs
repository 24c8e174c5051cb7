// What lies beside the installers of a release: node build/packaging/release-files.mjs [folder, by default release]
//   SHA256SUMS              of every file to publish, in the form `sha256sum --check` reads
//   Vestnik-<version>.cdx.json   the software bill of materials (CycloneDX): every package compiled in, Electron, and the shim's Node
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { pinnedVersion } from '../electron-path.mjs';
import { projectRoot } from '../setup/run.mjs';
import { NODE_VERSION } from './node-binaries.mjs';

/** Installers, update feeds and what belongs to them; not the unpacked folders, nor electron-builder's notes to itself. */
const PUBLISHED = /^Vestnik-.*\.(dmg|zip|exe|AppImage|deb|mcpb|blockmap|cdx\.json)$|^latest.*\.yml$/;

const { version } = JSON.parse(fs.readFileSync(path.join(projectRoot, 'package.json'), 'utf8'));

/** npm's mark on what is there for development only. (Its own `--omit dev` also leaves out what both sides use.) */
const DEVELOPMENT_MARK = 'cdx:npm:package:development';

/**
 * npm knows the tree; what it calls development is left out, and the two programs that run on the person's computer beside it are added.
 * @returns {Record<string, any>} CycloneDX document
 */
export function billOfMaterials() {
  const npmCli = process.env.npm_execpath;
  const args = ['sbom', '--sbom-format', 'cyclonedx'];
  const [command, all] = npmCli ? [process.execPath, [npmCli, ...args]] : ['npm', args];
  const bill = JSON.parse(execFileSync(command, all, { cwd: projectRoot, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }));
  const isShipped = (component) => !component.properties?.some(({ name }) => name === DEVELOPMENT_MARK);
  const programs = [
    { name: 'electron', version: pinnedVersion(), purl: `pkg:npm/electron@${pinnedVersion()}` },
    { name: 'node', version: NODE_VERSION, purl: `pkg:generic/node@${NODE_VERSION}` },
  ].map((program) => ({ type: 'framework', 'bom-ref': `${program.name}@${program.version}`, ...program }));
  const components = [...bill.components.filter(isShipped), ...programs];
  const refs = new Set([bill.metadata.component['bom-ref'], ...components.map((component) => component['bom-ref'])]);
  const dependencies = bill.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((name) => refs.has(name)) }));
  return { ...bill, components, dependencies };
}

/** @param {string} file @returns {Promise<string>} hexadecimal */
async function sha256(file) {
  const hash = createHash('sha256');
  await pipeline(fs.createReadStream(file), hash);
  return hash.digest('hex');
}

/** @param {string} folder @returns {Promise<string[]>} names of the files that SHA256SUMS lists */
export async function writeReleaseFiles(folder) {
  fs.writeFileSync(path.join(folder, `Vestnik-${version}.cdx.json`), `${JSON.stringify(billOfMaterials(), null, 2)}\n`);
  const names = fs
    .readdirSync(folder)
    .filter((name) => PUBLISHED.test(name))
    .sort();
  const lines = [];
  for (const name of names) lines.push(`${await sha256(path.join(folder, name))}  ${name}\n`);
  fs.writeFileSync(path.join(folder, 'SHA256SUMS'), lines.join(''));
  return names;
}

if (process.argv[1] && path.resolve(process.argv[1]) === import.meta.filename) {
  const folder = path.resolve(process.argv[2] ?? path.join(projectRoot, 'release'));
  for (const name of await writeReleaseFiles(folder)) console.log(name);
}
