import { keyNames, shownKey } from "../keys/key_names";

interface Held {
  event: KeyboardEvent;
  index: number | null; // the instance on screen when it was pressed
}

/**
 * Keys that cannot be handled yet wait. Each is for the instance that was on screen when it was pressed: if
 * another one is shown by then, a message shows that the key was not accepted.
 */
export class HeldKeys {
  private held: Held[] = [];

  constructor(
    private readonly press: (event: KeyboardEvent) => void,
    private readonly notify: (text: string) => void,
  ) {}

  hold(event: KeyboardEvent, index: number | null): void {
    this.held.push({ event, index });
  }

  /** `present` returns the instance on screen, and undefined while keys have to wait. */
  release(present: () => number | null | undefined): void {
    const refused: string[] = [];
    while (this.held.length > 0) {
      const index = present();
      if (index === undefined) break;
      const [{ event, index: meant }] = this.held.splice(0, 1);
      if (meant !== null && meant === index) this.press(event);
      else refused.push(shownKey(keyNames(event)[0]));
    }
    if (refused.length === 0) return;
    const [were, them] = refused.length === 1 ? ["was", "it"] : ["were", "them"];
    this.notify(
      `${refused.join(", ")} ${were} pressed before this item was shown, and not taken. Press ${them} again.`,
    );
  }
}
