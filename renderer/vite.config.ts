import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const root = fileURLToPath(new URL('.', import.meta.url));

/**
 * The window's build. Everything is emitted as files beside `index.html` and loaded by relative URL, so that the strict
 * policy of `app://` (scripts and styles from 'self' only) holds: nothing inline, nothing remote.
 */
export default defineConfig({
  root,
  base: './',
  plugins: [react()],
  build: {
    outDir: fileURLToPath(new URL('../out/renderer', import.meta.url)),
    emptyOutDir: true,
    // The oldest Chromium that runs it: the development runtime's.
    target: 'chrome130',
    assetsInlineLimit: 0,
    // A preload helper of Vite's would be an inline-style module; Chromium needs none.
    modulePreload: { polyfill: false },
    sourcemap: false,
  },
});
