// Everything that a key or a button does except labeling: one entry for each action that Python names.

import type { AnswerFlow } from "../answers/answer_flow";
import type { ActionName } from "../from_python/messages";
import type { Answering } from "./answering";

export type Act = (name: ActionName) => void;

interface Action {
  /** What only the app has, such as the result, is not available in a separate part. */
  run: (view: Answering) => void;
  /** Whether its button can be pressed. */
  isPossible: (flow: AnswerFlow) => boolean;
  /** While the result is shown: whether it acts on it, or returns to the instance first. Otherwise it is off. */
  onResult?: "over" | "leaves";
  /** Whether a double click does it twice. */
  isRepeatable?: boolean;
}

const always = () => true;
const withInstance = (flow: AnswerFlow) => flow.hasInstance;
const withPresent = (flow: AnswerFlow) => flow.canAnswer && flow.review === null && !flow.isOnSheet;

export const ACTIONS: Record<ActionName, Action> = {
  undo: {
    run: ({ flow }) => flow.undo(),
    isPossible: (flow) => flow.canUndo,
    onResult: "leaves",
    isRepeatable: true,
  },
  sheet: { run: ({ flow }) => flow.turnSheet(), isPossible: (flow) => flow.canTurnSheet },
  defer: {
    run: (view) => view.defer(),
    isPossible: (flow) => flow.canAnswer && flow.review === null,
  },
  exclude: { run: ({ flow }) => flow.answer({ type: "exclude" }), isPossible: withPresent },
  exclude_because: {
    run: ({ flow, reasons }) => withPresent(flow) && reasons.open(),
    isPossible: withPresent,
  },
  note: {
    run: ({ flow, note }) => {
      if (flow.shown !== null && flow.hasInstance) note.open(flow.shown, flow.mark.note ?? "");
    },
    isPossible: withInstance,
  },
  flag: { run: ({ flow }) => flow.flag(), isPossible: withInstance },
  history: { run: ({ app }) => app?.history.open(), isPossible: always, onResult: "over" },
  prediction: { run: (view) => view.togglePrediction(), isPossible: withPresent },
  guidelines: { run: (view) => view.toggleGuidelines(), isPossible: always, onResult: "leaves" },
  goal: { run: ({ app }) => app?.goal.open(), isPossible: always, onResult: "over" },
  result: { run: ({ app }) => app?.showResult(!app.result.isOpen), isPossible: always, onResult: "over" },
  panels: { run: ({ app }) => app?.choice.toggle(), isPossible: always, onResult: "over" },
  enlarge: { run: ({ app }) => app?.panels.enlarge(), isPossible: always },
  settings: { run: ({ settings }) => settings.dialog.showModal(), isPossible: always, onResult: "over" },
  help: { run: (view) => view.showKeyList(), isPossible: always, onResult: "over" },
};
