import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';

/** A fresh folder for one test, removed when the test is over. Its path is short: a socket has to fit into it. */
export function temporaryFolder(name = 'data'): string {
  const parent = fs.mkdtempSync(path.join(os.tmpdir(), 'vk-'));
  onTestFinished(() => fs.rmSync(parent, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }));
  return path.join(parent, name);
}
