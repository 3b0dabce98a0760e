// The separate parts of a session. A new part needs an entry here, and a class in Python.

import { AnswerList } from "../answers/answer_list";
import { element } from "../dom/element";
import type { FromPython } from "../from_python/messages";
import { Answering, type Shows } from "../page/answering";
import type { PageRoot } from "../page/page_root";
import { PlotTimer } from "../page/plot_timer";
import { ProgressBar } from "../page/progress";
import type { SessionClient } from "../page/session_client";
import { EstimatePanel } from "../panels/estimate";
import { GoalPanel } from "../panels/goal";

export interface Part {
  readonly nodes: HTMLElement[];
  readonly dialogs?: HTMLDialogElement[];
  /** Where instances are answered. */
  readonly answering?: Answering;
  take?(message: FromPython, buffers: DataView[], isOwn: boolean): void;
  paint?(): void;
  close?(): void;
}

interface Place {
  client: SessionClient;
  root: PageRoot;
  el: HTMLElement;
}

function answering({ client, root, el }: Place, shows: Shows): Part {
  const made = new Answering(client, root, el, null, shows);
  made.area.node.removeAttribute("aria-label"); // the part's root is the landmark
  return { nodes: [made.area.node], dialogs: made.dialogs, answering: made };
}

function estimate({ client }: Place): Part {
  const { connection, flow } = client;
  const goal = new GoalPanel(
    (fields) => connection.send("goal", { fields }),
    (fields) => connection.send("goal_preview", { fields }),
    (name) => name === "goal" && goal.open(),
  );
  goal.leaveOutResult();
  const panel = new EstimatePanel(goal.box);
  const timer = new PlotTimer(
    () => flow.isSaving || connection.isWaitingFor("plan"),
    () => connection.send("plan"),
  );
  return {
    nodes: [panel.node],
    dialogs: [goal.dialog],
    take({ config, state, goal: plan, goal_preview }, _buffers, isOwn) {
      if (isOwn && goal_preview) goal.preview(goal_preview);
      if (state?.estimate) panel.show(state.estimate);
      const content = plan ?? config?.goal;
      if (content) goal.show(content);
      if (state && !config) timer.restart();
    },
    close: () => timer.close(),
  };
}

function progress(): Part {
  const made = new ProgressBar();
  return {
    nodes: [made.figures, made.bar],
    take({ state }) {
      if (state) made.show(state.progress);
    },
  };
}

function history({ client }: Place): Part {
  const { connection, flow } = client;
  const canChoose = () => client.views.some(({ answers }) => answers);
  const list = new AnswerList({
    choose: (row) => flow.goTo(row),
    canChoose,
    ask: (question) => connection.send("history", question),
    showsResults: () => client.configured?.config.is_labeler_view === false,
  });
  const node = element("div", { class: "aew-history-list" }, ...list.parts);
  node.addEventListener("keydown", (event) => {
    if (list.press(event)) event.stopPropagation();
  });
  const timer = new PlotTimer(
    () => flow.isSaving || connection.isWaitingFor("history"),
    () => list.refresh(),
  );
  let could = canChoose();
  return {
    nodes: [node],
    take(message, buffers, isOwn) {
      if (message.config) list.open();
      else if (message.state) timer.restart();
      if (isOwn && message.history) list.show(message.history, buffers);
    },
    paint() {
      if (could === canChoose()) return;
      could = canChoose(); // whether rows can be opened
      timer.restart();
    },
    close() {
      timer.close();
      list.close();
    },
  };
}

export const PARTS = {
  instance: (place: Place) => answering(place, "instance"),
  labels: (place: Place) => answering(place, "labels"),
  estimate,
  progress,
  history,
} satisfies Record<string, (place: Place) => Part>;

export type PartName = keyof typeof PARTS;
