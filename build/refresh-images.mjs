// The pictures of the two READMEs, taken anew from the real app: `node build/refresh-images.mjs`. They are committed; look at them first.
import fs from 'node:fs';
import path from 'node:path';
import { projectRoot, runNode } from './test/child.mjs';

const LIMIT_MS = 180_000;
const source = path.join(projectRoot, 'test-output/readme');
const target = path.join(projectRoot, 'docs/images');

for (const args of [['build/bundle.mjs'], ['node_modules/vitest/vitest.mjs', 'run', '--project', 'e2e', 'readme-pictures']]) {
  const { status } = await runNode(args, { isShown: true, limitMs: LIMIT_MS });
  if (status !== 0) process.exit(status);
}
fs.mkdirSync(target, { recursive: true });
for (const name of fs.readdirSync(source)) {
  fs.copyFileSync(path.join(source, name), path.join(target, name));
  console.log(`docs/images/${name}`);
}
