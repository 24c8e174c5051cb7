/** Puts many changes in a row into one announcement: the window asks again, and once is enough. */
export function coalesce(announce: () => void, delayMs = 30): () => void {
  let timer: NodeJS.Timeout | undefined;
  return () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      announce();
    }, delayMs);
  };
}
