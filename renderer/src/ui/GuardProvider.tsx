import { createContext, use, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { MouseEvent, PointerEvent, ReactNode, RefObject, SyntheticEvent } from 'react';
import { ClickGuard } from '../lib/clickGuard.ts';

/**
 * Measures every card's row of buttons and closes it for half a second when it appears, moves or shows something else.
 * Whatever moved it is found at the latest by the click itself, which measures again before it counts.
 */
interface Guarded {
  readonly element: HTMLElement;
  readonly content: string;
}

interface Guards {
  readonly register: (id: string, guarded: Guarded) => void;
  readonly unregister: (id: string) => void;
  readonly measure: () => void;
  readonly remainingMs: (id: string) => number;
  readonly subscribe: (listener: () => void) => () => void;
}

const GuardContext = createContext<Guards | null>(null);

function createGuards(scroller: HTMLElement) {
  const guard = new ClickGuard(() => performance.now());
  const guarded = new Map<string, Guarded>();
  const listeners = new Set<() => void>();
  const tell = () => {
    for (const listener of listeners) listener();
  };
  return {
    register: (id: string, entry: Guarded) => void guarded.set(id, entry),
    unregister: (id: string) => {
      guarded.delete(id);
      guard.forget(id);
    },
    measure: () => {
      const scroll = { top: scroller.scrollTop, height: scroller.scrollHeight, viewport: scroller.clientHeight };
      let hasClosed = false;
      for (const [id, entry] of guarded) {
        if (guard.observe(id, entry.element.getBoundingClientRect(), scroll, entry.content)) hasClosed = true;
      }
      if (hasClosed) tell();
    },
    closeAll: () => {
      guard.closeAll();
      tell();
    },
    remainingMs: (id: string) => guard.remainingMs(id),
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

export function GuardProvider({ scroller, children }: { scroller: HTMLElement; children: ReactNode }) {
  const guards = useMemo(() => createGuards(scroller), [scroller]);
  // Every render of the list may have moved something.
  useLayoutEffect(() => guards.measure());
  useEffect(() => {
    const onVisible = () => {
      if (document.visibilityState === 'visible') guards.closeAll();
    };
    const sizes = new ResizeObserver(guards.measure);
    sizes.observe(scroller);
    for (const child of scroller.children) sizes.observe(child);
    scroller.addEventListener('scroll', guards.measure, { passive: true });
    window.addEventListener('resize', guards.measure);
    window.addEventListener('focus', guards.closeAll);
    document.addEventListener('visibilitychange', onVisible);
    return () => {
      sizes.disconnect();
      scroller.removeEventListener('scroll', guards.measure);
      window.removeEventListener('resize', guards.measure);
      window.removeEventListener('focus', guards.closeAll);
      document.removeEventListener('visibilitychange', onVisible);
    };
  }, [guards, scroller]);
  return <GuardContext value={guards}>{children}</GuardContext>;
}

export interface GuardedCard {
  /** Whether a click would count now; for the look of the buttons. */
  readonly isOpen: boolean;
  /** To be spread on the card: swallows clicks, by pointer or key, that come too early. */
  readonly handlers: {
    readonly onPointerDownCapture: (event: PointerEvent) => void;
    readonly onClickCapture: (event: MouseEvent) => void;
    readonly onKeyDownCapture: (event: SyntheticEvent<HTMLElement, KeyboardEvent>) => void;
  };
}

/**
 * @param target the row of buttons.
 * @param content what the card shows, as text that changes with it.
 */
export function useGuardedCard(id: string, target: RefObject<HTMLElement | null>, content: string): GuardedCard {
  const guards = use(GuardContext);
  if (!guards) throw new Error('no GuardProvider above');
  const [isOpen, setIsOpen] = useState(false);
  const pressWasEarly = useRef(false);

  useLayoutEffect(() => {
    if (target.current) guards.register(id, { element: target.current, content });
    guards.measure();
  }, [guards, id, target, content]);
  useLayoutEffect(() => () => guards.unregister(id), [guards, id]);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const update = () => {
      clearTimeout(timer);
      const remaining = guards.remainingMs(id);
      setIsOpen(remaining === 0);
      if (remaining > 0) timer = setTimeout(update, remaining + 5);
    };
    update();
    const undo = guards.subscribe(update);
    return () => {
      undo();
      clearTimeout(timer);
    };
  }, [guards, id]);

  const isEarly = useCallback(() => {
    guards.measure();
    return guards.remainingMs(id) > 0;
  }, [guards, id]);

  const handlers = useMemo<GuardedCard['handlers']>(
    () => ({
      // A press that began too early stays too early, however late it is released.
      onPointerDownCapture: () => {
        pressWasEarly.current = isEarly();
      },
      onClickCapture: (event) => {
        const wasEarly = pressWasEarly.current;
        pressWasEarly.current = false;
        if (!isEarly() && !wasEarly) return;
        event.preventDefault();
        event.stopPropagation();
      },
      // A key held down repeats its click; only the first press is one.
      onKeyDownCapture: (event) => {
        const key = event.nativeEvent;
        pressWasEarly.current = false;
        if (key.repeat && (key.key === 'Enter' || key.key === ' ') && key.target instanceof HTMLButtonElement) event.preventDefault();
      },
    }),
    [isEarly],
  );
  return { isOpen, handlers };
}
