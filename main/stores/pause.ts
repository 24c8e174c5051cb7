import { z } from 'zod';
import { JsonFile } from './json-file.ts';

const mode = z.enum(['full', 'read_only']);

/** Remembers what agents might do before the person paused them, so that ending the pause never allows more than before it. */
export class PauseMemory {
  private readonly file: JsonFile;

  constructor(folder: string) {
    this.file = new JsonFile(folder, 'pause', 'pause_broken');
  }

  /** To be told of every mode in force. */
  note(current: 'full' | 'read_only' | 'paused'): void {
    if (current !== 'paused' && current !== this.file.all()['mode']) this.file.set('mode', current);
  }

  /** The mode to go back to; the default where none was ever noted. */
  get modeAfterPause(): 'full' | 'read_only' {
    return mode.catch('full').parse(this.file.all()['mode']);
  }
}
