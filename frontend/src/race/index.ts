// What anywidget runs for each view of a race.

import { type RaceModel, RacePage } from "./race_page";

function render({ model, el }: { model: RaceModel; el: HTMLElement }): () => void {
  const page = new RacePage(model, el);
  return () => page.close();
}

export default { render };
