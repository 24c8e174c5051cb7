/* global document, window -- inside page.evaluate */
// Takes pictures of every view in both languages and themes at two sizes and runs the accessibility checker on each.
// Usage: node renderer/dev/look.mjs OUT_DIR [filter]; needs a Chromium (CHROMIUM, default /usr/bin/chromium).
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { createServer } from 'vite';

const out = process.argv[2] ?? 'test-output/look';
const filter = process.argv[3] ?? '';
mkdirSync(out, { recursive: true });
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const server = await createServer({ configFile: fileURLToPath(new URL('../vite.config.ts', import.meta.url)), server: { port: 5199 }, logLevel: 'error' });
await server.listen();
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] });

const VIEWS = {
  drafts: 'drafts=typical',
  odd: 'drafts=odd',
  empty: 'drafts=none&signedOut=1&plain=1',
  activity: 'drafts=none',
  chats: 'drafts=none',
  connect: 'drafts=none',
  settings: 'drafts=none',
  welcome: 'drafts=none&first=1&signedOut=1',
};
const SECTION = { activity: 'activity', chats: 'chats', connect: 'connect', settings: 'settings' };
let violations = 0;
for (const [view, query] of Object.entries(VIEWS)) {
  for (const lang of ['ru', 'en']) {
    for (const colorScheme of ['light', 'dark']) {
      for (const [width, height] of [
        [1000, 1000],
        [380, 700],
      ]) {
        const name = `${view}-${lang}-${colorScheme}-${width}`;
        if (!name.includes(filter)) continue;
        const page = await browser.newPage({ viewport: { width, height }, colorScheme });
        page.on('console', (message) => ['error', 'warning'].includes(message.type()) && console.log(name, message.text()));
        page.on('pageerror', (error) => console.log(name, String(error)));
        await page.goto(`http://localhost:5199/dev/?${query}&lang=${lang}`);
        await page.waitForSelector('.shell');
        if (SECTION[view]) await page.click(`[data-view="${SECTION[view]}"]`);
        await page.waitForTimeout(700);
        const wide = await page.evaluate(() => document.querySelector('main').scrollWidth > document.querySelector('main').clientWidth + 1);
        if (wide) console.log(name, 'SCROLLS SIDEWAYS');
        await page.evaluate(axe);
        const result = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
        for (const violation of result.violations) {
          violations += 1;
          console.log(
            name,
            violation.id,
            violation.help,
            violation.nodes.slice(0, 3).map((node) => node.target.join(' ')),
          );
        }
        await page.screenshot({ path: `${out}/${name}.png` });
        await page.close();
      }
    }
  }
}
console.log(`${violations} violations`);
await browser.close();
await server.close();
