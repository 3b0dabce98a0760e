// What anywidget runs for each view of the start page.

import { type StartModel, StartScreen } from "./start_screen";

function render({ model, el }: { model: StartModel; el: HTMLElement }): () => void {
  const screen = new StartScreen(model, el);
  return () => screen.close();
}

export default { render };
