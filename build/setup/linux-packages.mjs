// What Electron and its tests need from a Linux system: shared libraries, a display, fonts.
import fs from 'node:fs';
import { say, SetupError, withProgress } from './report.mjs';
import { isOnPath, outputOf, run } from './run.mjs';

/** Debian and Ubuntu names; `t64` marks those renamed in the move to 64-bit time (Debian 13, Ubuntu 24.04). */
const LIBRARIES = [
  { name: 'libgtk-3-0', t64: true },
  { name: 'libatk-bridge2.0-0', t64: true },
  { name: 'libcups2', t64: true },
  { name: 'libasound2', t64: true },
  { name: 'libnotify4', t64: false },
  { name: 'libgbm1', t64: false },
  { name: 'libnss3', t64: false },
];
const XVFB = [{ name: 'xvfb', t64: false }];
const FONTS = [
  { name: 'fonts-noto-core', t64: false },
  { name: 'fonts-noto-color-emoji', t64: false },
];
const DESKTOP_SERVICES = ['dbus', 'gnome-keyring', 'libsecret-1-0'].map((name) => ({ name, t64: false }));
const OTHER_SYSTEMS =
  'Fedora: dnf install gtk3 at-spi2-atk cups-libs alsa-lib libnotify mesa-libgbm nss xorg-x11-server-Xvfb; ' +
  'Arch: pacman -S gtk3 at-spi2-core libcups alsa-lib libnotify mesa nss xorg-server-xvfb';

/**
 * Checks and, as root with apt, installs. Throws SetupError with the exact command where it may not install itself.
 * @param {{ binary: string, xvfb: boolean, fonts: boolean, desktopServices: boolean }} needs
 */
export async function ensureLinuxPackages(needs) {
  if (process.platform !== 'linux') return;
  const missingLibraries = findMissingLibraries(needs.binary);
  const lacks = [...(missingLibraries.length > 0 ? [`shared libraries (${missingLibraries.join(', ')})`] : [])];
  const wanted = missingLibraries.length > 0 ? [...LIBRARIES] : [];
  if (needs.xvfb && !isOnPath('Xvfb')) {
    lacks.push('Xvfb, a display without a screen');
    wanted.push(...XVFB);
  }
  if (needs.desktopServices && !(isOnPath('dbus-run-session') && isOnPath('gnome-keyring-daemon'))) {
    lacks.push('dbus and gnome-keyring');
    wanted.push(...DESKTOP_SERVICES);
  }
  const canInstall = process.getuid?.() === 0 && isOnPath('apt-get');
  // Fonts only make pictures better: they are installed where that is easy, and stop nobody.
  if (needs.fonts && canInstall && !hasFonts()) {
    lacks.push('fonts for Cyrillic and emoji');
    wanted.push(...FONTS);
  }
  if (wanted.length === 0) return;

  const names = packageNames(wanted, readOsRelease());
  if (!canInstall) throw new SetupError(`This system lacks ${lacks.join('; ')}. ${howToInstall(names)}`);
  say(`This system lacks ${lacks.join('; ')}. Installing with apt: ${names.join(' ')}`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = (/** @type {string[]} */ args) => withProgress(run('apt-get', args, { env, quiet: true }), () => `apt-get ${args[0]}`);
  await apt(['update', '-qq']);
  await apt(['install', '-y', '-qq', '-o', 'DPkg::Lock::Timeout=120', '--no-install-recommends', ...names]);
  const stillMissing = findMissingLibraries(needs.binary);
  if (stillMissing.length > 0) throw new SetupError(`These shared libraries are still missing: ${stillMissing.join(', ')}. ${howToInstall(names)}`);
  say('System packages installed.');
}

/** @param {string[]} names */
function howToInstall(names) {
  if (isOnPath('apt-get')) return `Install them and run this again:\n\n  sudo apt-get update && sudo apt-get install -y ${names.join(' ')}\n`;
  return `Install them with your package manager and run this again. (${OTHER_SYSTEMS})`;
}

/** @param {string} binary @returns {string[]} sonames the loader does not find */
function findMissingLibraries(binary) {
  return parseLdd(outputOf('ldd', [binary]) ?? '');
}

/** @param {string} lddOutput */
export function parseLdd(lddOutput) {
  return [...lddOutput.matchAll(/^\s*(\S+) => not found/gm)].map((match) => match[1]);
}

/**
 * @param {{ name: string, t64: boolean }[]} wanted
 * @param {Record<string, string>} osRelease
 */
export function packageNames(wanted, osRelease) {
  const isRenamed = usesTime64Names(osRelease);
  return wanted.map(({ name, t64 }) => (t64 && isRenamed ? `${name}t64` : name));
}

/** @param {Record<string, string>} osRelease fields of /etc/os-release */
function usesTime64Names(osRelease) {
  const version = Number.parseFloat(osRelease.VERSION_ID ?? '');
  if (osRelease.ID === 'ubuntu') return version >= 24.04;
  if (osRelease.ID === 'debian') return Number.isNaN(version) || version >= 13; // testing and unstable carry no number
  // Derivatives count versions their own way; what their package lists know decides.
  return outputOf('apt-cache', ['show', 'libgtk-3-0t64']) !== null;
}

/** @returns {Record<string, string>} */
function readOsRelease() {
  if (!fs.existsSync('/etc/os-release')) return {};
  const lines = fs.readFileSync('/etc/os-release', 'utf8').split('\n');
  return Object.fromEntries(
    lines
      .map((line) => line.match(/^(\w+)="?([^"]*)"?$/))
      .filter(Boolean)
      .map((match) => [match[1], match[2]]),
  );
}

function hasFonts() {
  const sans = ['/usr/share/fonts/truetype/noto/NotoSans-Regular.ttf', '/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf'];
  return sans.some((file) => fs.existsSync(file)) && fs.existsSync('/usr/share/fonts/truetype/noto/NotoColorEmoji.ttf');
}
