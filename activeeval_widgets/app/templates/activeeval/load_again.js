// On a busy machine, Voilà's script may miss a widget that it is to show: the page is loaded once more.
const isWidgetMissing = () =>
  [...document.querySelectorAll("#rendered_cells .jupyter-widgets")].some((node) => node.textContent.endsWith("model not found"));
const loadAgain = (() => {
  const AGAIN = "aew-again"; // in the tab's storage: the page has been loaded again
  let isAgain = true; // where a browser keeps nothing, too: the page would be loaded again and again
  try {
    isAgain = sessionStorage.getItem(AGAIN) !== null;
    sessionStorage.removeItem(AGAIN);
  } catch {}
  let isLeft = false;
  /** Returns whether the page is loaded again: not if it has been already. */
  return () => {
    if (isAgain || isLeft) return isLeft;
    isLeft = true;
    sessionStorage.setItem(AGAIN, "");
    location.reload();
    return true;
  };
})();
