// How long a person looked at an instance. Time without any sign of him is not counted: what goes beyond
// IDLE_AFTER ms between two of his movements, and all while the page is hidden.

const IDLE_AFTER = 30_000;

export class Stopwatch {
  private spent = 0;
  private last = 0;
  private isHidden = false;
  private firstKey: number | null = null;

  constructor(signal: AbortSignal) {
    this.restart();
    const options = { signal, passive: true, capture: true };
    for (const name of ["keydown", "pointermove", "pointerdown", "wheel", "scroll", "visibilitychange"]) {
      document.addEventListener(name, () => this.moved(), options);
    }
  }

  restart(): void {
    this.spent = 0;
    this.last = performance.now();
    this.isHidden = document.hidden;
    this.firstKey = null;
  }

  keyPressed(): void {
    this.firstKey ??= this.read();
  }

  /** As messages carry them, in seconds. */
  times(): { seconds: number; first_key_seconds: number | null } {
    const first = this.firstKey === null ? null : this.firstKey / 1000;
    return { seconds: this.read() / 1000, first_key_seconds: first };
  }

  private read(): number {
    return this.spent + (this.isHidden ? 0 : Math.min(performance.now() - this.last, IDLE_AFTER));
  }

  private moved(): void {
    this.spent = this.read();
    this.last = performance.now();
    this.isHidden = document.hidden;
  }
}
