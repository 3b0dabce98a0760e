import { appFrame } from "../connection/outside_model";
import { element } from "../dom/element";
import { followColors, keepKeysFromJupyter } from "../dom/surroundings";
import type { Config, State } from "../from_python/messages";

const MIN_HEIGHT = 620; // px, as in page.css
const BELOW = 16; // px

/** What a view shows, as its name for screen readers. */
const REGIONS = {
  app: "Labeling session",
  instance: "Instance",
  labels: "Labels",
  estimate: "Estimate and goal",
  progress: "Progress",
  history: "Answers",
} as const;

type RegionName = keyof typeof REGIONS;

/** The box around the widget, whose attributes say what the page shows, and which has the keys. */
export class PageRoot {
  private node: HTMLElement;
  private isStandalone = false;

  constructor(
    private readonly el: HTMLElement,
    private readonly region: RegionName = "app",
  ) {
    this.node = el;
  }

  /** It is an ancestor once the view is in the page. */
  begin(signal: AbortSignal): HTMLElement {
    const node = this.region === "app" ? (this.el.closest<HTMLElement>(".aew-app") ?? this.framed()) : this.partFrame();
    this.node = node;
    const forgetColors = followColors(node.parentElement ?? node);
    signal.addEventListener("abort", forgetColors);
    node.dataset.aew = this.region === "app" ? "app" : "part";
    node.dataset.state = "saving";
    node.tabIndex = 0;
    node.setAttribute("role", "region");
    node.setAttribute("aria-label", REGIONS[this.region]);
    keepKeysFromJupyter(node, signal);
    this.returnFocus(signal);
    return node;
  }

  /** Of several apps on a page, the regions of each but the first have its number. */
  numberRegions(): void {
    const n = 1 + [...document.querySelectorAll("[data-aew=app]")].indexOf(this.node);
    if (n < 2) return;
    const regions = this.node.querySelectorAll(":is(section, [role=region])[aria-label]");
    for (const each of [this.node, ...regions])
      each.setAttribute("aria-label", `${each.getAttribute("aria-label")} ${n}`);
  }

  /** A dialog of JupyterLab takes the focus, as when the server is gone: the widget takes it back afterwards. */
  private returnFocus(signal: AbortSignal): void {
    let [hadFocus, dialog]: [boolean, Element | null] = [false, null];
    const closed = new MutationObserver(() => {
      if (dialog?.isConnected) return;
      closed.disconnect();
      dialog = null;
      const { activeElement, body } = document;
      if (activeElement === null || activeElement === body) this.focus();
    });
    const follow = ({ target }: FocusEvent) => {
      const over = target instanceof Element ? target.closest(".jp-Dialog") : null;
      if (over === null) hadFocus = target instanceof Node && this.node.contains(target);
      else if (hadFocus && dialog === null) {
        dialog = over;
        closed.observe(document.body, { childList: true, subtree: true });
      }
    };
    document.addEventListener("focusin", follow, { signal });
    signal.addEventListener("abort", () => closed.disconnect());
  }

  /** Where a front end shows only the widget, as marimo does: the boxes that Python puts around it elsewhere. */
  private framed(): HTMLElement {
    const { el } = this;
    el.classList.remove("aew-front-end");
    const inside = element("div", { class: "aew-front-end" }, ...el.childNodes);
    const frame = appFrame(inside);
    el.append(frame);
    return frame;
  }

  /** The box of a separate part. */
  private partFrame(): HTMLElement {
    const frame = element("div", { class: "aew-app aew-part", "data-part": this.region }, ...this.el.childNodes);
    this.el.append(frame);
    return frame;
  }

  configure(config: Config): void {
    this.node.toggleAttribute("data-standalone", config.is_standalone);
    this.node.toggleAttribute("data-guest", config.is_guest);
  }

  /** On its own page, keys act wherever the focus is; in a notebook, only inside the widget. */
  listen(isStandalone: boolean, onKeydown: (event: KeyboardEvent) => void, signal: AbortSignal): void {
    this.isStandalone = isStandalone;
    const isInVoila = document.body.dataset.voila !== undefined;
    const place: EventTarget = isStandalone || isInVoila ? document : this.node;
    this.node.toggleAttribute("data-needs-focus", place === this.node && this.region === "app");
    place.addEventListener("keydown", (event) => onKeydown(event as KeyboardEvent), { signal });
    if (!isStandalone && this.isAlone && this.region === "app") this.fillWindow(signal);
    if ((isStandalone || this.isAlone) && !this.isFocusElsewhere) this.focus();
  }

  /** Whether it is the only app of a notebook that Voilà shows. */
  private get isAlone(): boolean {
    return document.body.dataset.voila !== undefined && document.querySelectorAll(".aew-app").length === 1;
  }

  private get isFocusElsewhere(): boolean {
    return !this.isStandalone && document.activeElement !== document.body && document.activeElement !== null;
  }

  /** Uses the height of the window below the notebook's other output. */
  private fillWindow(signal: AbortSignal): void {
    const fill = () => {
      const top = this.node.getBoundingClientRect().top + window.scrollY;
      const height = Math.max(MIN_HEIGHT, window.innerHeight - top - BELOW);
      this.node.style.setProperty("--aew-height", `${height}px`);
    };
    window.addEventListener("resize", fill, { signal });
    fill();
  }

  /** Whether a key pressed there is for this page. */
  isOurs(target: EventTarget | undefined): boolean {
    const { body, documentElement } = document;
    const isPage = target === body || target === documentElement;
    return (isPage && (this.isStandalone || this.isAlone)) || (target instanceof Node && this.node.contains(target));
  }

  focus(): void {
    this.node.focus({ preventScroll: true });
  }

  showState(state: string, draw: number | undefined, { n_labels, n_draws }: State): void {
    const { dataset } = this.node;
    dataset.state = state;
    dataset.draw = String(draw ?? "");
    dataset.nLabels = String(n_labels);
    dataset.nDraws = String(n_draws);
  }

  showDisconnected(): void {
    this.node.dataset.state = "disconnected";
  }

  showScreen(isResult: boolean): void {
    if (isResult) this.node.dataset.screen = "result";
    else delete this.node.dataset.screen;
  }
}
