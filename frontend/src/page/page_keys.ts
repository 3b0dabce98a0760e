// What a key does on the page: labels first, then actions, then looking around in the instance.

import type { ActionName } from "../from_python/messages";
import { isForeign, isTextField, keyNames, shownKey } from "../keys/key_names";
import { ACTIONS } from "./actions";
import type { LabelingPage } from "./labeling_page";

const isButton = (target: unknown): boolean =>
  target instanceof Element && target.closest("button, summary, a") !== null;

function take(event: KeyboardEvent): void {
  event.preventDefault();
  event.stopPropagation();
}

export function onKeydown(page: LabelingPage, event: KeyboardEvent): void {
  const { session, flow } = page;
  if (session === null || event.defaultPrevented || isForeign(event)) return;
  // Inside a shadow root the event's target is the host; the path begins with the real one.
  const target = event.composedPath()[0];
  if (!page.root.isOurs(target)) return;
  if (isButton(target) && (event.key === "Enter" || event.key === " ")) return;
  const open = page.openDialog;
  if (page.result.isOpen && open === null) {
    onResultKey(page, event, target);
    return;
  }
  flow.stopwatch.keyPressed();
  const isOwnField = target instanceof Node && page.area.labels.contains(target);
  if (open === null && (isOwnField || !isTextField(target)) && session.labels.press(event)) {
    take(event);
    return;
  }
  const isNumberField = isOwnField && session.config.labels.kind === "number";
  if (isTextField(target) && !(isNumberField && event.key !== "Backspace")) return;
  if (event.key === "Escape" && open === null && flow.review !== null) {
    take(event);
    if (!event.repeat) flow.leaveReview();
    return;
  }
  const action = page.offered(session.keys.meaningOf(event)?.action);
  if (action === null) {
    if (open !== null) return;
    if (page.instances.onKey(event)) take(event);
    else hintAt(page, event, target);
    return;
  }
  // The key that opened a dialog closes it; the others are off meanwhile.
  if (open !== null && open.dataset.aew !== action) return;
  take(event);
  if (!event.repeat) page.act(action);
}

/** While the result is shown, no key labels. */
function onResultKey(page: LabelingPage, event: KeyboardEvent, target: unknown): void {
  if (isTextField(target)) return;
  const name = event.key === "Escape" ? "result" : page.session?.keys.meaningOf(event)?.action;
  const action = name !== undefined && name in ACTIONS ? (name as ActionName) : null;
  const onResult = action === null ? undefined : ACTIONS[action].onResult;
  if (action === null || onResult === undefined) return;
  take(event);
  if (event.repeat) return;
  if (onResult === "leaves") page.showResult(false);
  page.act(action);
}

/** A key that does nothing here is told of; not what moves, scrolls or belongs to the browser. */
function hintAt({ session, hint }: LabelingPage, event: KeyboardEvent, target: unknown): void {
  if (session === null || event.key.length > 1 || event.key === " " || isTextField(target) || event.repeat) return;
  if (session.keys.meaningOf(event)?.label !== undefined) return; // a label's key, while nothing can be labeled
  const [help] = session.keys.keysOf("action help");
  hint(`${shownKey(keyNames(event)[0])} does nothing here. ${shownKey(help)} shows all keys.`);
}
