// Playback: advances by some labels a second, frame by frame, up to the available ones.

export const SPEEDS = [1, 2, 5, 10, 20, 50, 100, 200]; // labels a second

export class Player {
  /** How many labels are shown. */
  place = 0;
  speed = 20;
  private last = 0;
  private rest = 0; // of a label
  private frame: number | null = null;

  /** `most`: the number of labels available; `end`: the last one. `onMove` is called once a frame. */
  constructor(
    private readonly most: () => number,
    private readonly end: () => number,
    private readonly onMove: () => void,
  ) {}

  get isPlaying(): boolean {
    return this.frame !== null;
  }

  play(): void {
    if (this.isPlaying) return;
    if (this.place >= this.end()) this.place = 0;
    this.last = performance.now();
    this.rest = 1; // the first label comes at once
    this.wait();
  }

  pause(): void {
    if (this.frame !== null) cancelAnimationFrame(this.frame);
    this.frame = null;
  }

  /** One label more. */
  step(): void {
    this.pause();
    this.place = Math.min(this.place + 1, this.most());
    this.onMove();
  }

  goTo(place: number): void {
    this.pause();
    this.place = place;
    this.onMove();
  }

  private wait(): void {
    this.frame = requestAnimationFrame((now) => this.move(now));
  }

  private move(now: number): void {
    const due = this.rest + Math.max(0, now - this.last) * (this.speed / 1000);
    this.last = now;
    const next = Math.min(this.place + Math.floor(due), this.most());
    this.rest = next < this.most() ? due - Math.floor(due) : Math.min(due, 1) % 1;
    const hasMoved = next !== this.place;
    this.place = next;
    this.frame = null;
    if (this.place < this.end()) this.wait();
    if (hasMoved || !this.isPlaying) this.onMove();
  }
}
