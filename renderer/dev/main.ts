import { createFakeBridge } from './fake.ts';

// The window in a plain browser, fed by fixtures: for developing and for looking. Never part of a build.
const options = new URLSearchParams(location.search);
const fake = createFakeBridge(options);
Object.assign(window, { vestnik: fake.bridge, fake });
await import('../src/main.tsx');
