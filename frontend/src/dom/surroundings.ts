// The widget's surroundings: the front end's colors, and the tree that has the focus. A front end such as marimo
// shows each widget in its own shadow root, where neither the page's styles nor `document.activeElement` apply.

/** The focused element, as seen from a node: in its own tree, not the host that the document names. */
export function focusedFrom(node: Node): Element | null {
  const root = node.getRootNode();
  return root instanceof ShadowRoot ? root.activeElement : document.activeElement;
}

/** Where a front end other than Jupyter and VS Code says whether it is light or dark. */
function declaredTheme(): string | undefined {
  const { documentElement: page, body } = document;
  return page.dataset.theme ?? body.dataset.theme ?? page.getAttribute("theme") ?? undefined; // a site, marimo, Colab
}

/** Light or dark as the page says, otherwise as the system; in Jupyter and VS Code styles find it themselves. */
export function followColors(place: HTMLElement): () => void {
  const isAlone = place.getRootNode() instanceof ShadowRoot;
  const isKnown = document.querySelector("[data-jp-theme-light]:not([data-aew-colors]), .vscode-dark, .vscode-light");
  if (isKnown && !isAlone) return () => {};
  place.dataset.aewColors = "own"; // otherwise the page's next widget would take it for Jupyter's
  const isSystemDark = window.matchMedia("(prefers-color-scheme: dark)");
  const follow = () => {
    const declared = declaredTheme();
    const isDark = declared === "dark" || (declared !== "light" && isSystemDark.matches);
    place.dataset.jpThemeLight = String(!isDark);
  };
  const observer = new MutationObserver(follow);
  for (const node of [document.documentElement, document.body])
    observer.observe(node, { attributes: true, attributeFilter: ["data-theme", "theme"] });
  isSystemDark.addEventListener("change", follow);
  follow();
  return () => {
    observer.disconnect();
    isSystemDark.removeEventListener("change", follow);
  };
}

/**
 * JupyterLab's and Notebook's own shortcuts would cut, delete or split the cell. They look for this mark from the focused
 * element upwards, but stop if one of them matches before: so that element itself must have it.
 */
export function keepKeysFromJupyter(node: HTMLElement, signal?: AbortSignal): void {
  const mark = (target: EventTarget | null) => {
    if (target instanceof HTMLElement) target.dataset.lmSuppressShortcuts = "true";
  };
  mark(node);
  node.addEventListener("focusin", ({ target }) => mark(target), { signal });
}
