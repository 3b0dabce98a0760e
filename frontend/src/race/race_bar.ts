// What a person can do with a race: a button and a key each.

import { Slider } from "../dom/controls";
import { element, optionsOf, setText } from "../dom/element";
import { keyCaps } from "../keys/key_names";
import { SPEEDS } from "./player";

const ACTIONS = {
  play: { key: " ", text: "Play" },
  step: { key: "ArrowRight", text: "Step" },
  again: { key: "0", text: "Restart" },
  "new-race": { key: "n", text: "New race" },
  truth: { key: "t", text: "Hide truth" },
  hand: { key: "h", text: "Label by hand" },
} as const;

export type RaceAction = keyof typeof ACTIONS;

const NAMES = Object.keys(ACTIONS) as RaceAction[];

/** What a key does. */
export function actionOf({ key }: KeyboardEvent): RaceAction | undefined {
  const name = key.length === 1 ? key.toLowerCase() : key;
  return NAMES.find((action) => ACTIONS[action].key === name);
}

interface Shown {
  n: number;
  known: number;
  budget: number;
  isPlaying: boolean;
  isByHand: boolean;
  isHidden: boolean;
}

export class RaceBar {
  readonly node: HTMLElement;
  private readonly buttons = {} as Record<RaceAction, HTMLButtonElement>;
  private readonly texts = {} as Record<RaceAction, HTMLElement>;
  private readonly whose = element("select", { "aria-label": "Whose instances are labeled by hand" });
  private readonly count = element("span", { class: "aew-count", "data-aew": "count" });

  constructor(speed: number, act: (action: RaceAction) => void, changeSpeed: (speed: number) => void) {
    for (const name of NAMES) {
      const { key, text } = ACTIONS[name];
      this.texts[name] = element("span", {}, text);
      const attributes = { "data-aew": name, "aria-keyshortcuts": key, onclick: () => act(name) };
      this.buttons[name] = element("button", attributes, ...keyCaps([key]), this.texts[name]);
    }
    const slider = new Slider(
      {
        name: "speed",
        label: "Speed",
        low: 0,
        high: SPEEDS.length - 1,
        step: 1,
        value: SPEEDS.indexOf(speed),
        text: (value) => `${SPEEDS[value]} a second`,
      },
      () => changeSpeed(SPEEDS[slider.value]),
    );
    const { play, step, again, "new-race": fresh, truth, hand } = this.buttons;
    this.node = element(
      "div",
      { class: "aew-race-bar", role: "group", "aria-label": "The race" },
      ...[play, step, slider.node, again, fresh, truth],
      element("span", { class: "aew-hand-choice" }, hand, this.whose),
      this.count,
    );
  }

  /** The chosen racers to label by hand. */
  get racersByHand(): number[] {
    return this.whose.value.split(" ").map(Number);
  }

  /** Offers each racer, or both, to be labeled by hand. */
  showRacers(titles: string[]): void {
    const racers = titles.map((title, i) => [i, title] as const);
    this.whose.replaceChildren(...optionsOf([...racers, ["0 1", "Both"]]));
  }

  show({ n, known, budget, isPlaying, isByHand, isHidden }: Shown): void {
    const { play, step, truth, hand } = this.buttons;
    setText(this.count, `${n} of ${budget} labels`);
    setText(this.texts.play, isPlaying ? "Pause" : n >= budget ? "Play again" : "Play");
    play.disabled = isByHand;
    step.disabled = isByHand || n >= known;
    setText(this.texts.truth, isHidden ? "Show truth" : "Hide truth");
    truth.setAttribute("aria-pressed", String(isHidden));
    hand.setAttribute("aria-pressed", String(isByHand));
    hand.disabled = !isByHand && n >= budget;
    this.whose.disabled = isByHand;
  }
}
