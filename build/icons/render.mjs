// Renders every icon from vestnik.svg: node build/icons/render.mjs. The results are committed, so that packing needs no renderer;
// a test holds them to their source.
import fs from 'node:fs';
import path from 'node:path';
import { Resvg } from '@resvg/resvg-js';
import { icns, ico } from './containers.mjs';

const projectRoot = path.resolve(import.meta.dirname, '..', '..');
const source = fs.readFileSync(path.join(import.meta.dirname, 'vestnik.svg'), 'utf8');

const TRAY_STATES = ['online', 'attention', 'paused', 'signed-out'];
/** Panels of Windows and Linux are light or dark as the person likes: a blue that reads on both. */
const TRAY_COLOUR = '#4a80e6';
const APPLICATION_SIZES_PX = [16, 24, 32, 48, 64, 128, 256, 512, 1024];
const WINDOWS_SIZES_PX = [16, 20, 24, 32, 40, 48, 64, 256];
const WINDOWS_TRAY_SIZES_PX = [16, 20, 24, 32, 40, 48]; // 100 % to 300 %
const LINUX_TRAY_PX = 22; // what status notifier hosts show
const MAC_TRAY_PX = 16; // points in the menu bar; @2x for Retina
const SMALL_PX = 48; // up to here the mark fills more of the tile

/** @param {string} classes @param {number} px @param {string} [colour] @returns {Buffer} PNG */
function picture(classes, px, colour = '#ffffff') {
  const svg = source.replace('class="app"', `class="${classes}"`).replace('color="#fff"', `color="${colour}"`);
  return new Resvg(svg, { fitTo: { mode: 'width', value: px }, font: { loadSystemFonts: false } }).render().asPng();
}

const tile = (/** @type {number} */ px) => picture(px > SMALL_PX ? 'app big' : 'app small', px);

/**
 * Every icon there is.
 * @returns {Map<string, Buffer>} path from the project's root → content
 */
export function renderIcons() {
  /** @type {Map<string, Buffer>} */
  const files = new Map();
  for (const px of APPLICATION_SIZES_PX) files.set(`build/icons/rendered/${px}x${px}.png`, tile(px));
  files.set('build/icons/rendered/icon.ico', ico(WINDOWS_SIZES_PX.map((px) => ({ px, png: tile(px) }))));
  files.set(
    'build/icons/rendered/icon.icns',
    icns((px) => picture('mac', px)),
  );
  files.set('main/assets/icon.png', tile(256));
  for (const state of TRAY_STATES) {
    const tray = (/** @type {number} */ px) => picture(`tray ${state}`, px, TRAY_COLOUR);
    const template = (/** @type {number} */ px) => picture(`tray template ${state}`, px, '#000000');
    files.set(`main/assets/tray-${state}.png`, tray(LINUX_TRAY_PX));
    files.set(`main/assets/tray-${state}@2x.png`, tray(2 * LINUX_TRAY_PX));
    files.set(`main/assets/tray-${state}.ico`, ico(WINDOWS_TRAY_SIZES_PX.map((px) => ({ px, png: tray(px) }))));
    files.set(`main/assets/tray-${state}Template.png`, template(MAC_TRAY_PX));
    files.set(`main/assets/tray-${state}Template@2x.png`, template(2 * MAC_TRAY_PX));
  }
  return files;
}

if (process.argv[1] && path.resolve(process.argv[1]) === import.meta.filename) {
  for (const [name, content] of renderIcons()) {
    const file = path.join(projectRoot, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, content);
  }
}
