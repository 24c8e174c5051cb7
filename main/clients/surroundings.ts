import fs from 'node:fs';
import os from 'node:os';
import type { Surroundings } from './known-clients.ts';

/** This computer. */
export const realSurroundings: Surroundings = {
  platform: process.platform,
  home: os.homedir(),
  env: process.env,
  exists: (file) => fs.existsSync(file),
  list: (folder) => {
    try {
      return fs.readdirSync(folder);
    } catch {
      return [];
    }
  },
};
