// How long a person looked at an instance. Time without any sign of him is not counted: what goes beyond
// IDLE_AFTER ms between two of his movements, and all while the page is hidden.

const IDLE_AFTER = 30_000;

class Stopwatch {
  constructor(signal) {
    this.restart();
    const options = { signal, passive: true, capture: true };
    for (const name of ["keydown", "pointermove", "pointerdown", "wheel", "scroll"]) {
      document.addEventListener(name, () => this.moved(), options);
    }
    document.addEventListener("visibilitychange", () => this.moved(), options);
  }

  restart() {
    this.spent = 0;
    this.last = performance.now();
    this.isHidden = document.hidden;
    this.firstKey = null;
  }

  read() {
    return this.spent + (this.isHidden ? 0 : Math.min(performance.now() - this.last, IDLE_AFTER));
  }

  moved() {
    this.spent = this.read();
    this.last = performance.now();
    this.isHidden = document.hidden;
  }

  keyPressed() {
    this.firstKey ??= this.read();
  }

  // As messages carry them, in seconds.
  times() {
    const first = this.firstKey === null ? null : this.firstKey / 1000;
    return { seconds: this.read() / 1000, first_key_seconds: first };
  }
}
