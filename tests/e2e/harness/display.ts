import { afterAll } from 'vitest';
import { hasDisplay, startXvfb } from '../../../build/xvfb.mjs';

/**
 * Vitest's set-up of every file that starts the app: on Linux an Xvfb of its own, even where there is a desktop, so that tests neither
 * disturb the person at work nor depend on their window manager, and so that two files at once do not take the focus from each other.
 * `VESTNIK_TEST_DISPLAY=keep` shows the windows instead.
 */
if (process.platform === 'linux' && !(process.env['VESTNIK_TEST_DISPLAY'] === 'keep' && hasDisplay())) {
  const { display, stop } = await startXvfb();
  process.env['DISPLAY'] = display;
  delete process.env['WAYLAND_DISPLAY'];
  afterAll(stop);
}
