const REST = 120; // plots are redrawn once the fingers rest for this many ms

/** Asks for the plots once the fingers rest and nothing else is under way. */
export class PlotTimer {
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly isBusy: () => boolean,
    private readonly ask: () => void,
  ) {}

  restart(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      if (this.isBusy()) this.restart();
      else this.ask();
    }, REST);
  }

  close(): void {
    clearTimeout(this.timer);
  }
}
