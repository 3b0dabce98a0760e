const REST = 120; // plots are redrawn once there was no answer for this many ms

/** Requests the plots once the person pauses and nothing else is under way. */
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
