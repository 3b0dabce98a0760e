const DOUBLE_CLICK = 400; // ms

/** A listener without the second click of a double click, which is not meant for the next instance. */
export function onceClicked(act: (event: MouseEvent) => void): (event: MouseEvent) => void {
  let last = Number.NEGATIVE_INFINITY;
  return (event) => {
    if (event.detail > 1 && event.timeStamp - last < DOUBLE_CLICK) return;
    last = event.timeStamp;
    act(event);
  };
}
