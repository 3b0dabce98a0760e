// What anywidget runs for each view of a session or a race, and the loader of parts for each part.

import type { Model } from "./connection/connection";
import { LabelingPage } from "./page/labeling_page";
import type { PartName } from "./parts";
import { PartView } from "./parts/part_view";
import type { RaceModel } from "./race/race_client";
import { RacePage } from "./race/race_page";

type Shown = (Model & { get(name: "_shows"): "session" }) | (RaceModel & { get(name: "_shows"): "race" });

const isRace = (model: Shown): model is Extract<Shown, RaceModel> => model.get("_shows") === "race";

function render({ model, el }: { model: Shown; el: HTMLElement }): () => void {
  const page = isRace(model) ? new RacePage(model, el) : new LabelingPage(model, el);
  return () => page.close();
}

function renderPart(model: Model, el: HTMLElement, name: PartName): () => void {
  const part = new PartView(model, el, name);
  return () => part.close();
}

export default { render, renderPart };
