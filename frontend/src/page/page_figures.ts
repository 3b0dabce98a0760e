import { canShowFigures, FigureSurface, type WidgetManager } from "../charts/figure_surface";
import type { Surface } from "../charts/surface";

interface Places {
  /** Gives a figure's view to whatever shows the plot of this name. */
  use: (name: string, surface: Surface) => void;
  /** No figure can be shown here after all. */
  giveUp: () => void;
}

/** Python's figures instead of the page's own drawings, if the notebook can show them. */
export class PageFigures {
  private readonly known = new Map<string, string>(); // references by name
  private readonly surfaces = new Map<string, FigureSurface>();
  private hasFailed = false;

  constructor(
    private readonly manager: WidgetManager | undefined,
    private readonly places: Places,
  ) {}

  get areShown(): boolean {
    return !this.hasFailed && canShowFigures(this.manager);
  }

  /** Shows figures, by the names of their plots; others than before where their references have changed. */
  take(figures: Record<string, string>): void {
    for (const [name, reference] of Object.entries(figures)) {
      if (this.known.get(name) === reference) continue;
      this.known.set(name, reference);
      void this.open(name, reference);
    }
  }

  private async open(name: string, reference: string): Promise<void> {
    const surface = await this.opened(reference);
    if (this.known.get(name) !== reference) {
      surface?.close(); // another one has come meanwhile
    } else if (surface !== null) {
      this.places.use(name, surface);
      this.surfaces.get(name)?.close();
      this.surfaces.set(name, surface);
    } else if (!this.hasFailed) {
      this.hasFailed = true;
      this.places.giveUp();
    }
  }

  private async opened(reference: string): Promise<FigureSurface | null> {
    if (!canShowFigures(this.manager)) return null;
    try {
      return await FigureSurface.open(this.manager, reference);
    } catch {
      return null; // its script, or the widget, is missing
    }
  }
}
