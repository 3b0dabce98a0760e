// A figure made in Python, a bqplot widget, instead of a plot: the notebook's widget manager creates its view.

import type { PlotContent } from "../from_python/messages";
import type { Area } from "./axes";
import { scaleOf, verticalTicks } from "./scales";
import type { Surface } from "./surface";

/** A view of another widget. */
interface WidgetView {
  el: HTMLElement;
  luminoWidget?: { processMessage(message: object): void };
  /** Fits a figure into its element in the next frame, if the element's size has changed. */
  relayout?(): void;
  remove(): void;
}

/** Creates views of other widgets. Hosts that show only anywidgets have no such manager. */
export interface WidgetManager {
  get_model?(id: string): Promise<unknown>;
  create_view?(model: unknown, options?: object): Promise<WidgetView>;
}

const lumino = (type: string) => ({ type, isConflatable: false, conflate: () => false });
const [AFTER_ATTACH, AFTER_DETACH] = ["after-attach", "after-detach"].map(lumino);
const REFERENCE = "IPY_MODEL_";
const VERTICAL_TICKS = ".axis[text-anchor=end] > .tick";
const TICK_HEIGHT = 13; // px

export const canShowFigures = (manager: WidgetManager | undefined): manager is WidgetManager =>
  typeof manager?.get_model === "function" && typeof manager.create_view === "function";

export class FigureSurface implements Surface {
  readonly node: HTMLElement;
  private isAttached = false;
  private shownTicks = new Set<number>();
  private readonly observer = new MutationObserver(() => this.thinTicks());

  private constructor(private readonly view: WidgetView) {
    this.node = view.el;
    this.node.setAttribute("aria-hidden", "true");
    this.observer.observe(this.node, { childList: true, subtree: true });
  }

  /** The figure of a reference; null if its script is not available. */
  static async open(manager: WidgetManager, reference: string): Promise<FigureSurface | null> {
    const model = await manager.get_model?.(reference.replace(REFERENCE, ""));
    const view = await manager.create_view?.(model);
    if (view === undefined) return null;
    if (view.el.classList.contains("bqplot")) return new FigureSurface(view);
    view.remove(); // it shows an error
    return null;
  }

  draw({ x, y, margin }: PlotContent, width: number, height: number): Area {
    // There is no widget around it that would do this.
    if (!this.isAttached) this.view.luminoWidget?.processMessage(AFTER_ATTACH);
    this.isAttached = true;
    this.view.relayout?.(); // otherwise a figure waits 300 ms after each change of its size
    const { left = 0, right = 0, top = 0, bottom = 0 } = margin ?? {};
    const area = { left, right: width - right, top, bottom: height - bottom };
    const scale = scaleOf(y, area.bottom, area.top);
    this.shownTicks = new Set(verticalTicks(y, scale, TICK_HEIGHT).map((tick) => y.ticks.indexOf(tick)));
    this.thinTicks();
    return { ...area, x: scaleOf(x, area.left, area.right), y: scale };
  }

  /** Hides the ticks without room; the figure creates them later, and anew. */
  private thinTicks(): void {
    this.node.querySelectorAll<SVGElement>(VERTICAL_TICKS).forEach((tick, i) => {
      tick.style.visibility = this.shownTicks.has(i) ? "" : "hidden";
    });
  }

  close(): void {
    this.observer.disconnect();
    if (this.isAttached) this.view.luminoWidget?.processMessage(AFTER_DETACH);
    this.view.remove();
  }
}
