// What anywidget runs for each explorer, and what starts the explorers of a static page.

import { followColors } from "../dom/surroundings";
import { Explorer, type MakeViews } from "./explorer";
import { views as howManyLabels } from "./how_many_labels";
import { views as watchingAnInterval } from "./watching_an_interval";
import { views as whatQPrefers } from "./what_q_prefers";
import { views as whenTheModelLies } from "./when_the_model_lies";
import { views as yourPool } from "./your_pool";

/** Python's content of an explorer. */
export interface Content {
  name: string;
  title: string;
  settings: Record<string, unknown>;
  data: unknown;
}

const EXPLORERS: Record<string, MakeViews> = {
  "what-q-prefers": whatQPrefers,
  "watching-an-interval": watchingAnInterval,
  "when-the-model-lies": whenTheModelLies,
  "how-many-labels": howManyLabels,
  "your-pool": yourPool,
};

/** Shows an explorer in a place; returns a function that removes it. */
export function mount(place: HTMLElement, { name, title, settings, data }: Content): () => void {
  const views = EXPLORERS[name];
  if (views === undefined) throw new Error(`there is no explorer ${name}`);
  const explorer = new Explorer(name, title, (table) => views(table, settings, data));
  const forgetColors = followColors(place);
  place.replaceChildren(explorer.node);
  explorer.open(0);
  return () => {
    forgetColors();
    explorer.close();
    explorer.node.remove();
  };
}

/** Starts every explorer of a static page, with its content as JSON in a script inside; returns what removes them. */
export function mountAll(page: ParentNode = document): (() => void)[] {
  return [...page.querySelectorAll<HTMLElement>("[data-aew-explorer]")].flatMap((place) => {
    const content = place.querySelector("script[type='application/json']")?.textContent;
    return content ? [mount(place, JSON.parse(content))] : [];
  });
}

mountAll();

interface Model {
  get(name: "content"): Content;
}

function render({ model, el }: { model: Model; el: HTMLElement }): () => void {
  return mount(el, model.get("content"));
}

export default { render };
