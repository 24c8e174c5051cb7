import { z } from 'zod';

export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export const MIN_WIDTH = 380; // the window's smallest layout (ui/README)
export const MIN_HEIGHT = 480;
const DEFAULT_SIZE = { width: 960, height: 720 };
const VISIBLE_MARGIN = 80; // enough of a title bar to grab

const rectangle = z.object({ x: z.number().int(), y: z.number().int(), width: z.number().int(), height: z.number().int() });

/**
 * Where the window opens: where it was, if enough of it would be seen on a screen that is still there; otherwise centred by the system.
 * @param screens work areas of the screens, in the same units
 */
export function openingBounds(stored: unknown, screens: readonly Rectangle[]): { width: number; height: number; x?: number; y?: number } {
  const result = rectangle.safeParse(stored);
  if (!result.success) return DEFAULT_SIZE;
  const { x, y } = result.data;
  const width = Math.max(result.data.width, MIN_WIDTH);
  const height = Math.max(result.data.height, MIN_HEIGHT);
  const isSeen = screens.some(
    (screen) =>
      x + width >= screen.x + VISIBLE_MARGIN &&
      x + VISIBLE_MARGIN <= screen.x + screen.width &&
      y >= screen.y - 8 &&
      y + VISIBLE_MARGIN <= screen.y + screen.height,
  );
  return isSeen ? { x, y, width, height } : { width, height };
}
