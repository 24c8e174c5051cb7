import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { screenshot } from './harness/index.ts';
import { axeViolations, draftCard, openScene, type Scene, type Section, setSettings, setTheme, setWidth, showSection } from './window-support.ts';

let scene: Scene;

beforeAll(async () => {
  scene = await openScene();
  await draftCard(scene, 'Отчёт готов, лежит в общей папке.\nПроверь раздел 3 до 18:00\u200b 👩‍🚀');
  await draftCard(scene, 'مرحبا — Привет — שלום');
});
afterAll(() => scene.end());

const SECTIONS: readonly Section[] = ['drafts', 'activity', 'chats', 'connect', 'settings'];
const TITLES = {
  ru: { drafts: 'Ждут вашего решения', activity: 'Журнал', chats: 'Чаты', connect: 'Подключения', settings: 'Настройки' },
  en: { drafts: 'Waiting for your decision', activity: 'Activity', chats: 'Chats', connect: 'Connect', settings: 'Settings' },
};

describe.each(['ru', 'en'] as const)('in %s', (language) => {
  describe.each(['light', 'dark'] as const)('in the %s theme', (theme) => {
    it.each(SECTIONS)('%s reads well, wide and narrow, and the accessibility checker finds nothing', async (section) => {
      const { app, window } = scene;
      await setSettings(window, { language });
      await setTheme(window, theme);
      for (const [width, height] of [
        [1000, 800],
        [380, 480],
      ] as const) {
        await setWidth(app, width, height);
        await window.waitForFunction((wanted) => innerWidth === wanted, width);
        await showSection(window, section);
        await window.getByRole('heading', { level: 1, name: TITLES[language][section] }).waitFor();
        await window.locator('[data-guard="closed"]').first().waitFor({ state: 'detached' });
        await screenshot(window, `${section}-${language}-${theme}-${width}`, 'window');
        expect(await axeViolations(window)).toEqual([]);
        const overflow = await window.evaluate(() => {
          const main = document.querySelector('main');
          return main ? main.scrollWidth - main.clientWidth : -1;
        });
        expect(overflow).toBeLessThanOrEqual(0);
      }
      expect(await window.evaluate(() => document.documentElement.lang)).toBe(language);
    });
  });
});
