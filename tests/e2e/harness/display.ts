import { hasDisplay, startXvfb } from '../../../build/xvfb.mjs';

/**
 * Vitest's global set-up of the e2e project: on Linux an Xvfb of our own, even where there is a desktop, so that tests neither
 * disturb the person at work nor depend on their window manager. `VESTNIK_TEST_DISPLAY=keep` shows the windows instead.
 */
export async function setup(): Promise<(() => void) | undefined> {
  const isWanted = process.platform === 'linux' && !(process.env['VESTNIK_TEST_DISPLAY'] === 'keep' && hasDisplay());
  if (!isWanted) return undefined;
  const { display, stop } = await startXvfb();
  process.env['DISPLAY'] = display;
  delete process.env['WAYLAND_DISPLAY'];
  return stop;
}
