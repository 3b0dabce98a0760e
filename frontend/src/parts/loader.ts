// What anywidget runs for a part of a session. The page's module comes with the model that all parts of the session
// share, and is loaded once, with what the parts know of each other.

import type { Model } from "../connection/connection";
import type { PartName } from "./index";

interface SharedModel extends Model {
  get(name: "_esm"): string | undefined;
}

interface PartModel {
  get(name: "_part"): PartName;
  get(name: "_page"): string;
  widget_manager?: { get_model?(id: string): Promise<SharedModel> };
}

/** The page's module. */
interface PageModule {
  default: { renderPart: (model: Model, el: HTMLElement, name: PartName) => () => void };
}

const LOADED = Symbol.for("activeeval-widgets.page");

function pageOf(model: SharedModel & { [LOADED]?: Promise<PageModule> }): Promise<PageModule> {
  if (model[LOADED] === undefined) {
    const address = URL.createObjectURL(new Blob([model.get("_esm") ?? ""], { type: "text/javascript" }));
    model[LOADED] = import(address).finally(() => URL.revokeObjectURL(address));
  }
  return model[LOADED];
}

const NO_PARTS =
  "Parts of a session can't be shown by themselves here: they share a widget, and this host shows widgets one by one. " +
  "LabelingApp(session) shows all of them.";

async function render({ model, el }: { model: PartModel; el: HTMLElement }): Promise<() => void> {
  const shared = await model.widget_manager?.get_model?.(model.get("_page").replace("IPY_MODEL_", ""));
  if (typeof shared?.get("_esm") !== "string") {
    el.textContent = NO_PARTS;
    return () => el.replaceChildren();
  }
  const page = await pageOf(shared);
  return page.default.renderPart(shared, el, model.get("_part"));
}

export default { render };
