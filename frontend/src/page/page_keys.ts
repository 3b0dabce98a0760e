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
  const isNumberField = isOwnField && session.config.labels.kind === "number";
  if (open === null && (isNumberField || !isTextField(target)) && mustWait(page, event)) {
    take(event);
    if (!event.repeat) page.held.hold(event, flow.content && (flow.shown?.index ?? null));
    return;
  }
  if (open === null && (isOwnField || !isTextField(target)) && session.labels.press(event)) {
    take(event);
    return;
  }
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
  if (event.repeat) return;
  if (open === null && !ACTIONS[action].isPossible(flow)) refuse(page, event);
  else page.act(action);
}

/** Takes a key that had to wait. */
export function onHeldKey(page: LabelingPage, event: KeyboardEvent): void {
  if (page.session === null || page.session.labels.press(event)) return;
  const action = page.offered(page.session.keys.meaningOf(event)?.action);
  if (action !== null) page.act(action);
  else if (!page.instances.onKey(event)) hintAt(page, event, null);
}

/** Whether a key is for an answer that can be given in a moment. */
function mustWait({ flow, session, offered }: LabelingPage, event: KeyboardEvent): boolean {
  if (session === null || flow.refusal !== null || !flow.isWaiting) return false;
  const action = offered(session.keys.meaningOf(event)?.action);
  if (action !== null) return action !== "undo" && !ACTIONS[action].isPossible(flow);
  return event.key === "Enter" || (event.key.length === 1 && event.key !== " ");
}

/** Tells why a key does nothing now. */
function refuse({ flow, refuse }: LabelingPage, event: KeyboardEvent): void {
  if (flow.refusal !== null) refuse(`${shownKey(keyNames(event)[0])} was not taken: ${flow.refusal}.`);
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
function hintAt(page: LabelingPage, event: KeyboardEvent, target: unknown): void {
  const { session, flow, hint } = page;
  if (session === null || event.key.length > 1 || event.key === " " || isTextField(target) || event.repeat) return;
  if (flow.refusal !== null) {
    refuse(page, event);
    return;
  }
  if (session.keys.meaningOf(event)?.label !== undefined) return; // its controls have told
  const [help] = session.keys.keysOf("action help");
  hint(`${shownKey(keyNames(event)[0])} does nothing here. ${shownKey(help)} shows all keys.`);
}
