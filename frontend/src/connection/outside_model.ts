// anywidget's model on pages without Jupyter: who listens to the messages from Python, and the app that shows them.

import { element } from "../dom/element";
import type { Model } from "./connection";

type Listener<Received> = (message: Received, buffers: DataView[]) => void;

export abstract class OutsideModel<Received> implements Model<Received> {
  private readonly listeners = new Set<Listener<Received>>();

  on(_name: "msg:custom", listener: Listener<Received>): void {
    this.listeners.add(listener);
  }

  off(_name: "msg:custom", listener: Listener<Received>): void {
    this.listeners.delete(listener);
  }

  abstract send(message: unknown, callbacks?: unknown, buffers?: ArrayBuffer[]): void;

  protected deliver(message: Received, buffers: DataView[]): void {
    for (const listener of this.listeners) listener(message, buffers);
  }
}

/** The boxes that Python puts around the app in Jupyter. */
export const appFrame = (inside: HTMLElement): HTMLElement =>
  element("div", { class: "aew-app" }, element("div", { class: "aew-grid" }, inside));

/** Shows the app in an element by its script, which is that of notebooks. */
export async function showApp<Received>(model: OutsideModel<Received>, el: HTMLElement): Promise<void> {
  const script = new URL("app.js", location.href).href;
  const { default: shown } = await import(script);
  shown.render({ model, el });
}
