// What a key does in a view that answers: labels first, then actions, then scrolling or zooming the instance.

import type { ActionName } from "../from_python/messages";
import { isForeign, isPress, isTextField, keyNames, shownKey, takeKey, targetOf } from "../keys/key_names";
import { ACTIONS } from "./actions";
import type { Answering } from "./answering";

export function onKeydown(view: Answering, event: KeyboardEvent): void {
  const { configured, flow } = view;
  if (configured === null || event.defaultPrevented || isForeign(event)) return;
  const target = targetOf(event);
  if (!view.root.isOurs(target)) return;
  const open = view.openDialog;
  const isTile = target instanceof Element && target.closest(".aew-tile") !== null;
  if (isPress(event, target) && !isTile) return;
  if (view.app?.result.isOpen && open === null) {
    onResultKey(view, event, target);
    return;
  }
  flow.stopwatch.keyPressed();
  if (open === null && flow.isOnSheet && flow.canAnswer && !isTextField(target) && view.sheet.onKey(event)) {
    takeKey(event);
    return;
  }
  const isOwnField = target instanceof Node && view.area.labels.contains(target);
  const isNumberField = isOwnField && configured.config.labels.kind === "number";
  if (open === null && (isNumberField || !isTextField(target)) && mustWait(view, event)) {
    takeKey(event);
    if (!event.repeat) view.held.hold(event, flow.isReady ? (flow.shown?.index ?? null) : null);
    return;
  }
  if (open === null && (isOwnField || !isTextField(target)) && pressLabel(view, event)) {
    takeKey(event);
    return;
  }
  if (isTextField(target) && !(isNumberField && event.key !== "Backspace")) return;
  if (event.key === "Escape" && open === null && flow.review !== null) {
    takeKey(event);
    if (!event.repeat) flow.leaveReview();
    return;
  }
  const action = view.offered(configured.keys.meaningOf(event)?.action);
  if (action === null) {
    if (open !== null) return;
    if (view.instances.onKey(event)) takeKey(event);
    else hintAt(view, event, target);
    return;
  }
  // The key that opened a dialog closes it; other keys are off meanwhile.
  if (open !== null && open.dataset.aew !== action) return;
  takeKey(event);
  if (event.repeat) return;
  if (open === null && !ACTIONS[action].isPossible(flow)) sayNothingHappens(view, event);
  else view.act(action);
}

/** Handles a key that had to wait. */
export function onHeldKey(view: Answering, event: KeyboardEvent): void {
  if (view.configured === null || pressLabel(view, event)) return;
  const action = view.offered(view.configured.keys.meaningOf(event)?.action);
  if (action !== null) view.act(action);
  else if (!view.instances.onKey(event)) hintAt(view, event, null);
}

/** Whether a key was one of the label's. */
const pressLabel = ({ labels }: Answering, event: KeyboardEvent): boolean => labels?.press(event) === true;

/** Whether a key is for an answer that can be given in a moment. */
function mustWait({ flow, configured, offered }: Answering, event: KeyboardEvent): boolean {
  if (configured === null || flow.refusal !== null || !flow.isWaiting) return false;
  const action = offered(configured.keys.meaningOf(event)?.action);
  if (action !== null) return action !== "undo" && !ACTIONS[action].isPossible(flow);
  return event.key === "Enter" || (event.key.length === 1 && event.key !== " ");
}

/** Shows that a key does nothing now, and why if that is a problem. */
function sayNothingHappens({ configured, flow, hint, refuse }: Answering, event: KeyboardEvent): void {
  const key = shownKey(keyNames(event)[0]);
  const help = configured?.keys.keysOf("action help")[0] ?? "?";
  if (flow.refusal !== null) refuse(`${key} was not taken: ${flow.refusal}.`);
  else if (!flow.isWaiting) hint(`${key} does nothing here. ${shownKey(help)} shows all keys.`);
}

/** While the result is shown, no key labels. */
function onResultKey(view: Answering, event: KeyboardEvent, target: unknown): void {
  if (isTextField(target)) return;
  const name = event.key === "Escape" ? "result" : view.configured?.keys.meaningOf(event)?.action;
  const action = name !== undefined && name in ACTIONS ? (name as ActionName) : null;
  const onResult = action === null ? undefined : ACTIONS[action].onResult;
  if (action === null || onResult === undefined) return;
  takeKey(event);
  if (event.repeat) return;
  if (onResult === "leaves") view.app?.showResult(false);
  view.act(action);
}

/** Shows that a key does nothing here, unless it moves, scrolls or belongs to the browser. */
function hintAt(view: Answering, event: KeyboardEvent, target: unknown): void {
  const { configured, flow } = view;
  if (configured === null || event.key.length > 1 || event.key === " " || isTextField(target) || event.repeat) return;
  const isLabel = configured.keys.meaningOf(event)?.label !== undefined;
  if (isLabel && flow.refusal === null) return; // its controls have shown it
  sayNothingHappens(view, event);
}
