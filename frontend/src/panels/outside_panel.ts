import { element, setText } from "../dom/element";
import { importModule } from "../dom/python_module";
import type { PanelConfig } from "../from_python/messages";

/** What the module of a panel from outside this package may use. */
interface OutsideTools {
  element: typeof element;
  /** Shows an instance again, by its index. */
  goTo: (index: number) => void;
}

interface Drawn {
  node: HTMLElement;
  show(content: unknown): void;
  close?(): void;
}

type Build = (use: OutsideTools) => Drawn;

/** A panel from outside this package. Content that arrives before its module is shown as soon as that is there. */
export class OutsidePanel {
  readonly node: HTMLElement;
  private readonly problem = element("p", { class: "aew-warning", hidden: "" });
  private drawn: Drawn | null = null;
  private latest: { content: unknown } | null = null;
  private isClosed = false;

  constructor(
    private readonly module: PanelConfig,
    use: OutsideTools,
  ) {
    const { name, title } = module;
    this.node = element("section", { "data-aew": `${name}-panel`, "aria-label": title }, this.problem);
    void this.load(use);
  }

  show(content: unknown): void {
    this.latest = { content };
    this.draw();
  }

  close(): void {
    this.isClosed = true;
    this.drawn?.close?.();
  }

  private async load(use: OutsideTools): Promise<void> {
    try {
      const build = await importModule<Build>(this.module.source);
      if (this.isClosed) return;
      this.drawn = build(use);
      this.node.prepend(this.drawn.node);
    } catch (error) {
      this.showProblem(error);
    }
    this.draw();
  }

  private draw(): void {
    if (this.drawn === null || this.latest === null) return;
    try {
      this.drawn.show(this.latest.content);
      this.problem.hidden = true;
    } catch (error) {
      this.showProblem(error);
    }
  }

  private showProblem(error: unknown): void {
    const reason = error instanceof Error ? error.message : String(error);
    setText(this.problem, `“${this.module.title}” can't be shown. The browser says: ${reason}`);
    this.problem.hidden = false;
  }
}
