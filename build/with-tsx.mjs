// A TypeScript program after the set-up, in one process: `node build/with-tsx.mjs FILE [options]`. The shell of `npm run` gives its place to a
// lone command, so that a signal to npm reaches the program itself and not a shell that dies before it.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const setUp = spawnSync(process.execPath, [path.join(import.meta.dirname ?? 'build', 'setup.mjs'), '--modules'], { stdio: ['ignore', 2, 2] });
if (setUp.status !== 0) process.exit(setUp.status ?? 1);
process.argv.splice(1, 1);
const { register } = await import('tsx/esm/api');
register();
await import(pathToFileURL(path.resolve(process.argv[1] ?? '')).href);
