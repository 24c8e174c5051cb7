import fs from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { projectRoot } from './app.ts';

/** Keeps a picture of the page in `test-output/<folder>/<name>.png` and returns its path. */
export async function screenshot(page: Page, name: string, folder = 'screenshots'): Promise<string> {
  const file = path.join(projectRoot, 'test-output', folder, `${name}.png`);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  await page.screenshot({ path: file, animations: 'disabled', caret: 'hide' });
  return file;
}
