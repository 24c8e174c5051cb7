import { useEffect, useLayoutEffect, useState } from 'react';
import type { RefObject } from 'react';

/** Where a list begins inside the element that scrolls, px from the top of the content; what stands above may change its height. */
export function useScrollMargin(list: RefObject<HTMLElement | null>, scroller: HTMLElement): number {
  const [margin, setMargin] = useState(0);
  const measure = () => {
    if (!list.current) return;
    const top = list.current.getBoundingClientRect().top - scroller.getBoundingClientRect().top + scroller.scrollTop;
    setMargin((last) => (Math.abs(last - top) < 1 ? last : Math.round(top)));
  };
  // eslint-disable-next-line react-hooks/set-state-in-effect -- the layout is the outside world here, and state follows only when it changed
  useLayoutEffect(measure);
  useEffect(() => {
    const sizes = new ResizeObserver(measure);
    for (const child of scroller.children) sizes.observe(child);
    return () => sizes.disconnect();
    // eslint-disable-next-line react-hooks/exhaustive-deps -- `measure` reads refs and sets state only
  }, [scroller]);
  return margin;
}
