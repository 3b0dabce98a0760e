/** Calls `then` with the result of `find`, now or as soon as a change of the page brings one. */
export function whenFound<T>(find: () => T | null | false, then: (found: T) => void, signal: AbortSignal): void {
  const found = find();
  if (found) {
    then(found);
    return;
  }
  const observer = new MutationObserver(() => {
    const late = find();
    if (!late) return;
    observer.disconnect();
    then(late);
  });
  observer.observe(document, { childList: true, subtree: true });
  signal.addEventListener("abort", () => observer.disconnect());
}
