import { JsonFile } from './json-file.ts';
import type { Rectangle } from './window-bounds-rules.ts';

/** Remembers the window's place between starts. A broken file costs nothing but the place. */
export class WindowBoundsStore {
  private readonly file: JsonFile;

  constructor(folder: string) {
    this.file = new JsonFile(folder, 'window', 'window_broken');
  }

  get(): unknown {
    return this.file.all()['bounds'];
  }

  set(bounds: Rectangle): void {
    this.file.set('bounds', { x: bounds.x, y: bounds.y, width: bounds.width, height: bounds.height });
  }
}
