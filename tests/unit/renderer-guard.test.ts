import { describe, expect, it } from 'vitest';
import { ClickGuard, GUARD_MS } from '../../renderer/src/lib/clickGuard.ts';

function scene() {
  let now = 1000;
  const guard = new ClickGuard(() => now);
  let scroll = { top: 0, height: 2000, viewport: 800 };
  return {
    guard,
    pass: (ms: number) => {
      now += ms;
    },
    scrollTo: (part: Partial<typeof scroll>) => {
      scroll = { ...scroll, ...part };
    },
    see: (top: number, part: { left?: number; width?: number; height?: number; content?: string } = {}) =>
      guard.observe('card', { left: part.left ?? 10, top, width: part.width ?? 600, height: part.height ?? 40 }, scroll, part.content ?? 'text'),
  };
}

describe('a card takes no click', () => {
  it('for half a second after it appeared', () => {
    const { guard, see, pass } = scene();
    see(100);
    expect(guard.isOpen('card')).toBe(false);
    pass(GUARD_MS - 1);
    expect(guard.isOpen('card')).toBe(false);
    pass(1);
    expect(guard.isOpen('card')).toBe(true);
  });

  it('before it was ever seen', () => {
    expect(scene().guard.isOpen('card')).toBe(false);
  });

  it.each([
    ['a card above went', 60, {}],
    ['a card above came', 400, {}],
    ['the window became wider', 100, { left: 60 }],
    ['its text grew', 100, { height: 90 }],
    ['another text took its place', 100, { content: 'other' }],
  ])('for half a second after %s', (_what, top, part) => {
    const { guard, see, pass } = scene();
    see(100);
    pass(5000);
    expect(see(top, part)).toBe(true);
    expect(guard.isOpen('card')).toBe(false);
    pass(GUARD_MS);
    expect(guard.isOpen('card')).toBe(true);
  });

  it('while it keeps moving', () => {
    const { guard, see, pass } = scene();
    see(100);
    for (let step = 1; step < 20; step += 1) {
      pass(100);
      see(100 + step * 10);
      expect(guard.isOpen('card')).toBe(false);
    }
  });

  it('when the page became shorter and was pushed back', () => {
    const { guard, see, pass, scrollTo } = scene();
    scrollTo({ top: 1200 });
    see(100);
    pass(5000);
    scrollTo({ top: 900, height: 1700 });
    see(400);
    expect(guard.isOpen('card')).toBe(false);
  });

  it('when the window has just come before the person', () => {
    const { guard, see, pass } = scene();
    see(100);
    pass(5000);
    guard.closeAll();
    expect(guard.remainingMs('card')).toBe(GUARD_MS);
  });
});

describe('a card still takes a click', () => {
  it('after the person scrolled it there', () => {
    const { guard, see, pass, scrollTo } = scene();
    see(700);
    pass(5000);
    scrollTo({ top: 300 });
    expect(see(400)).toBe(false);
    expect(guard.isOpen('card')).toBe(true);
  });

  it('when a card came above and the view kept its place', () => {
    const { guard, see, pass, scrollTo } = scene();
    scrollTo({ top: 300 });
    see(200);
    pass(5000);
    scrollTo({ top: 550, height: 2250 });
    see(200);
    expect(guard.isOpen('card')).toBe(true);
  });

  it('after layout rounded by a fraction of a pixel', () => {
    const { guard, see, pass } = scene();
    see(100);
    pass(5000);
    see(100.4);
    expect(guard.isOpen('card')).toBe(true);
  });
});
