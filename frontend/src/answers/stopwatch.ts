// How long a person looked at an instance. Inactive time is not counted: what exceeds IDLE_AFTER ms between two
// movements, and all time while the page is hidden.

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

  /** In seconds, as in messages. */
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
