// Stands in for Electron's own default app, which the registry-carried runtime lacks: makes `electron [options] <folder or file>` work.
// It must be an ES module with top-level await: Electron holds 'ready' back until it has run, and with it the app's main module.
import { app } from 'electron';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire, Module } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const { preloads, target } = readCommandLine(process.argv.slice(1));
if (target === undefined) {
  console.error('usage: electron [options] <app folder or file>');
  process.exit(1);
}

// playwright's loader comes this way
if (preloads.length > 0) Module._preloadModules(preloads);
Object.defineProperty(process, 'defaultApp', { value: true, enumerable: true });

const location = path.resolve(target);
const manifest = readManifest(path.join(location, 'package.json'));
if (manifest) {
  if (manifest.version) app.setVersion(manifest.version);
  const name = manifest.productName ?? manifest.name;
  if (name) app.setName(name);
  app.setDesktopName(manifest.desktopName ?? `${app.name}.desktop`);
}
try {
  const entry = createRequire(import.meta.url).resolve(location);
  app.setAppPath(manifest ? location : path.dirname(entry));
  await import(pathToFileURL(entry).href);
} catch (error) {
  console.error('App threw an error during load\n', error);
  process.exit(1);
}

function readCommandLine(args) {
  const preloads = [];
  let target;
  for (let index = 0; index < args.length && target === undefined; index++) {
    const argument = args[index];
    if (argument === '-v' || argument === '--version') {
      console.log(`v${process.versions.electron}`);
      process.exit(0);
    } else if (argument === '-r' || argument === '--require') preloads.push(args[++index]);
    else if (argument.startsWith('--require=')) preloads.push(argument.slice('--require='.length));
    else if (argument === '--') target = args[++index];
    else if (!argument.startsWith('-')) target = argument;
  }
  return { preloads, target };
}

function readManifest(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
}
