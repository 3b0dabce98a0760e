// What a key does on the page of a race: while instances are labeled by hand, labels come first.

import { isForeign, isMovedByKeys, isPress, isTextField, takeKey, targetOf } from "../keys/key_names";
import type { ByHand } from "./by_hand";
import { actionOf, type RaceAction } from "./race_bar";

interface View {
  el: HTMLElement;
  byHand: ByHand;
  isByHand: boolean;
  act: (action: RaceAction) => void;
  undo: () => void;
}

export function onRaceKey(view: View, event: KeyboardEvent): void {
  if (event.defaultPrevented || isForeign(event)) return;
  const target = targetOf(event);
  const { body, documentElement } = document;
  if (target !== body && target !== documentElement && !(target instanceof Node && view.el.contains(target))) return;
  if (isPress(event, target)) return;
  const isOwnField = target instanceof Node && view.byHand.node.contains(target);
  if (isTextField(target) && !isOwnField) return;
  const isTaken = view.isByHand ? answers(view, event, target) : acts(view, event, target);
  if (isTaken) takeKey(event);
}

/** Whether a key labels, leaves, takes back a label or moves the instance. */
function answers({ byHand, act, undo }: View, event: KeyboardEvent, target: EventTarget): boolean {
  if (byHand.labels.press(event)) return true;
  if (event.key === "Escape") act("hand");
  else if (!isTextField(target) && byHand.keys.meaningOf(event)?.action === "undo") {
    if (!event.repeat) undo();
  } else return byHand.instances.onKey(event);
  return true;
}

function acts({ act }: View, event: KeyboardEvent, target: EventTarget): boolean {
  const action = isMovedByKeys(target) && event.key.startsWith("Arrow") ? undefined : actionOf(event);
  if (action === undefined) return false;
  if (!event.repeat || action === "step") act(action);
  return true;
}
