import { useCallback, useEffect, useRef, useState } from 'react';
import type { ActivityFilter, ActivityRow } from '../../../app/ipc/contract.ts';
import { ask, useBridgeEvent } from '../bridge.ts';

/** Lines per request: a screenful and some, so that scrolling seldom waits. */
export const PAGE_LINES = 100;
/** Events come in bursts (one per call); the pages are asked for again once per burst. */
const REFRESH_DELAY_MS = 400;

export interface Pages {
  /** Lines in all; undefined until known. */
  readonly total: number | undefined;
  readonly row: (index: number) => ActivityRow | undefined;
  /** Fetches what is missing of these lines, by index. */
  readonly need: (first: number, last: number) => void;
  readonly hasFailed: boolean;
  readonly reload: () => void;
}

interface Loaded {
  readonly total: number | undefined;
  readonly pages: ReadonlyMap<number, readonly ActivityRow[]>;
}

/** Pages of the journal, newest line first, fetched as they come into view. One filter for the life of the component. */
export function usePages(filter: ActivityFilter): Pages {
  const [loaded, setLoaded] = useState<Loaded>({ total: undefined, pages: new Map() });
  const [hasFailed, setHasFailed] = useState(false);
  const [turn, setTurn] = useState(0);
  const asked = useRef<{ turn: number; pages: Set<number> }>({ turn: 0, pages: new Set() });
  const constantFilter = useRef(filter);

  const need = useCallback(
    (first: number, last: number) => {
      // Old lines stay in sight until the new ones are there.
      if (asked.current.turn !== turn) asked.current = { turn, pages: new Set() };
      const mine = asked.current;
      for (let page = Math.floor(first / PAGE_LINES); page <= Math.floor(last / PAGE_LINES); page += 1) {
        if (mine.pages.has(page)) continue;
        mine.pages.add(page);
        void ask('activity:page', { offset: page * PAGE_LINES, limit: PAGE_LINES, filter: constantFilter.current }).then(
          ({ total, rows }) => {
            if (asked.current !== mine) return;
            setHasFailed(false);
            setLoaded((before) => ({ total, pages: new Map(before.pages).set(page, rows) }));
          },
          () => {
            mine.pages.delete(page);
            setHasFailed(true);
          },
        );
      }
    },
    [turn],
  );

  const reload = useCallback(() => setTurn((before) => before + 1), []);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useBridgeEvent('activity:changed', () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(reload, REFRESH_DELAY_MS);
  });
  useEffect(() => () => clearTimeout(timer.current), []);

  return {
    total: loaded.total,
    row: (index) => loaded.pages.get(Math.floor(index / PAGE_LINES))?.[index % PAGE_LINES],
    need,
    hasFailed,
    reload,
  };
}
