// One view of a labeling session: its parts, and what passes between them, the person and Python.

const PANELS = {
  estimate: "Estimate",
  trajectory: "Estimate after each label",
  distribution: "How often each instance is drawn",
  confusion: "Confusion matrix",
};

const ALWAYS = new Set(["help", "panels", "goal", "result", "settings", "history", "guidelines"]); // need no instance

const REST_BEFORE_PLOTS = 120; // plots are redrawn once the fingers rest for this many ms

function render({ model, el }) {
  el.classList.add("aew-front-end");
  const listeners = new AbortController();
  const state = {
    config: null,
    keys: null, // the KeyMap
    labels: null, // the label's controls
    shown: null, // what was painted last: its draw and its content
    notice: null, // what went wrong with the last answer
    hint: null, // said of a key that does nothing
    prediction: null, // { draw, text }
    wasDone: false, // whether the end has been seen
    leaves: false, // whether an instance was asked for from the result
    returns: false, // whether the result comes back after it
  };
  let root = el;
  let restTimer = null;

  const instances = new Instances({
    onReady: () => {
      paint();
      flow.askForInstances();
    },
    askForMore: (what) => connection.send("more", what),
  });
  const numbers = buildNumbers();
  const page = buildPage(act, numbers.progress);
  const note = new NoteField({
    save: (about, text) => flow.note(about.index, text),
    leave: () => root.focus({ preventScroll: true }),
  });
  const work = buildWork(act, note, page.banner);
  work.instance.append(instances.slot, instances.tools.bar);
  const help = makeHelp(act);
  const confusion = buildConfusion();
  const reasons = makeReasons((reason) => flow.answer("exclude", { reason }));
  const history = new History({
    choose: (row) => flow.goTo(row), ask: (question) => connection.send("history", question), mayTell,
  });
  const settings = new Settings(showKeys);
  const goal = new GoalPanel((fields) => connection.send("goal", { fields }), act);
  numbers.estimate.append(goal.box);
  const result = new ResultScreen({
    ask: () => connection.send("result", { may_tell: mayTell() }),
    save: (kind) => connection.send("save", { which: kind }),
    goTo: (index) => {
      showResult(false);
      state.leaves = true;
      connection.send("row", { index, shows_prediction: mayTell() });
    },
    goOn: () => {
      showResult(false);
      connection.send("go_on");
    },
  });
  const doneText = element("p");
  const goOn = element("button", { type: "button", class: "aew-label aew-quiet", "data-action": "go_on",
    onclick: () => connection.send("go_on") }, "Label more");
  const seeResult = element("button", { type: "button", class: "aew-label aew-main", "data-action": "result",
    onclick: onceClicked(() => act("result")) });
  const done = element("div", { class: "aew-done" }, doneText, seeResult, goOn);
  const plots = buildPlots({ goTo: (index) => connection.send("row", { index, shows_prediction: mayTell() }) });
  const side = element("div", { class: "aew-side" }, numbers.estimate, ...plots.nodes, confusion.panel);
  const panels = new Panels(PANELS, { hiddenAtFirst: ["confusion"], onChange: () => redrawPlotsSoon() });
  el.append(page.header, work.node, result.node, side,
    panels.dialog, plots.dialog, goal.dialog, help.dialog, reasons.dialog, history.dialog, settings.dialog);
  const connection = new Connection(model, { onReply, onChange: () => paint() });
  const flow = new Flow(connection, instances, listeners.signal, afterAnswer);
  work.area.prepend(flow.keeping.banner, flow.keeping.notices);

  // -- what is shown ------------------------------------------------------------------------------------

  function paint() {
    if (state.config === null) {
      paintBanner();
      return;
    }
    paintInstance();
    const { shown } = flow;
    setText(work.question, flow.isDone && shown === null ? "Done" : state.config.question);
    paintWhich(shown);
    const prediction = state.prediction !== null && state.prediction.draw === shown?.draw ? state.prediction : null;
    work.prediction.hidden = prediction === null;
    setText(work.prediction, prediction?.text ?? "");
    paintButtons();
    paintBanner();
    if (flow.isDone && !state.wasDone) showResult(true);
    state.wasDone = flow.isDone || (state.wasDone && flow.python.is_done);

    root.dataset.state = flow.stateName;
    root.dataset.draw = shown?.draw ?? "";
    root.dataset.nLabels = flow.python.n_labels;
    root.dataset.nDraws = flow.python.n_draws;
  }

  function paintWhich(shown) {
    const { review, mark } = flow;
    const draw = shown?.draw === undefined ? "" : `Item ${shown.draw}`;
    setText(work.number, review === null ? draw : `Earlier answer${draw ? `, ${draw.toLowerCase()}` : ""}: ${review.answer || "none"}`);
    work.number.classList.toggle("aew-reviewed", review !== null);
    work.back.hidden = review === null;
    setText(work.marks, [mark.flagged ? "⚑ flagged" : "", mark.note ? `Note: ${mark.note}` : ""].filter(Boolean).join(" · "));
  }

  function paintInstance() {
    const { shown, content } = flow;
    if (!content) {
      if (flow.isDone) {
        setText(doneText, flow.python.done_text);
        goOn.hidden = !flow.python.can_go_on;
      }
      instances.show(flow.isDone ? done : element("p", { class: "aew-waiting" }, "…"));
      delete work.instance.dataset.instanceId;
      state.shown = null;
      return;
    }
    instances.show(content);
    work.instance.dataset.instanceId = shown.id;
    const isReview = shown === flow.review;
    if (state.shown?.draw !== shown.draw || state.shown.content !== content || state.shown.isReview !== isReview) {
      state.shown = { draw: shown.draw, content, isReview };
      state.labels.show(content, flow.earlier.get(shown.index));
    }
    flow.painted();
  }

  function paintButtons() {
    const { activeElement } = document;
    state.labels.setEnabled(flow.canAnswer);
    for (const button of work.node.querySelectorAll("[data-action]")) {
      const name = button.dataset.action;
      if (name === "go_on") continue;
      button.disabled = ALWAYS.has(name) ? false : name === "undo" ? !flow.canUndo
        : name === "note" || name === "flag" ? connection.isLost || flow.content === null
          : !flow.canAnswer || flow.review !== null;
      if (name === "flag") button.setAttribute("aria-pressed", String(Boolean(flow.mark.flagged)));
      if (name === "guidelines") button.setAttribute("aria-pressed", String(!work.guidelines.node.hidden));
    }
    // A button that can't be pressed any more would lose the focus, and with it the keys.
    if (activeElement?.disabled && el.contains(activeElement)) root.focus({ preventScroll: true });
  }

  function paintStatus() {
    const text = state.hint ?? flow.python.status;
    setText(work.status, text);
    work.status.title = text; // where it is cut off
    work.status.classList.toggle("aew-saved", state.hint === null && flow.python.n_labels > 0);
    work.problem.hidden = state.notice === null;
    setText(work.problem, state.notice ?? "");
  }

  function paintBanner() {
    flow.keeping.paint();
    page.banner.hidden = !connection.isLost;
    if (!connection.isLost) return;
    root.dataset.state = "disconnected";
    const unsaved = flow.outbox.inWords();
    const what = unsaved ? `Not saved: ${unsaved}. ` : "";
    const how = state.config?.is_standalone === false
      ? "If this persists, restart the kernel and run the cell again"
      : "If this persists, reload the page";
    setText(page.bannerText, `${what}Python is not responding. ${how}. What was saved is kept.`);
    page.reload.hidden = state.config?.is_standalone === false;
  }

  // -- what the person does -----------------------------------------------------------------------------

  // Whether the page may tell of the model.
  function mayTell() {
    return !panels.isLabelerView;
  }

  // The result takes the place of labeling until one goes back.
  function showResult(isShown) {
    if (isShown === result.isOpen) return;
    if (isShown) {
      root.dataset.screen = "result";
      result.open();
    } else {
      delete root.dataset.screen;
      result.close();
      root.focus({ preventScroll: true });
    }
    setText(page.results, isShown ? "Back to labeling" : "Results");
  }

  const give = (value, text) => flow.label(value, text);

  function act(name) {
    const open = el.querySelector("dialog[open]");
    if (open !== null) open.close(); // the key that opened it
    else if (!isOffered(name)) return;
    else if (name === "help") {
      help.show([...state.labels.help(), ...instances.help(state.keys)], shownActions(), state.keys, state.config.session_text);
      help.dialog.showModal();
    }
    else if (name === "panels") panels.toggle();
    else if (name === "goal") goal.open();
    else if (name === "result") showResult(!result.isOpen);
    else if (name === "undo") flow.undo();
    else if (name === "defer" || name === "exclude") flow.answer(name);
    else if (name === "exclude_because") {
      if (flow.canAnswer && flow.review === null) reasons.open();
    } else if (name === "flag") flow.flag();
    else if (name === "note") {
      if (flow.content !== null && !connection.isLost) note.open(flow.shown, flow.mark.note ?? "");
    } else if (name === "history") {
      history.open();
    } else if (name === "guidelines") {
      work.guidelines.toggle();
      paint();
    } else if (name === "settings") settings.dialog.showModal();
    else if (name === "back") flow.leaveReview();
    else if (name === "prediction") {
      if (!flow.canAnswer || flow.review !== null) return;
      if (state.prediction?.draw === flow.shown.draw) {
        state.prediction = null;
        paint();
      } else connection.send("prediction", { draw: flow.shown.draw });
    } else if (name === "new_session") connection.send("new_session");
  }

  function afterAnswer() {
    state.notice = null;
    state.hint = null;
    if (flow.python !== null) paintStatus();
    paint();
    if (state.returns && flow.review === null) {
      state.returns = false;
      showResult(true);
    }
    flow.askForInstances();
    redrawPlotsSoon();
  }

  function redrawPlotsSoon() {
    clearTimeout(restTimer);
    restTimer = setTimeout(() => {
      if (flow.isSaving || connection.isWaitingFor("plots")) redrawPlotsSoon();
      else connection.send("plots", { shows_wald: panels.showsWald, shows_confusion: panels.isShown("confusion") });
    }, REST_BEFORE_PLOTS);
  }

  function onKeydown(event) {
    if (state.config === null || event.defaultPrevented || isForeign(event)) return;
    // Inside a shadow root the event's target is the host; the path begins with the real one.
    const target = event.composedPath()[0];
    if (target !== document.body && target !== document.documentElement && !root.contains(target)) return;
    const open = el.querySelector("dialog[open]");
    const isButton = target instanceof Element && target.closest("button, summary, a") !== null;
    if (isButton && (event.key === "Enter" || event.key === " ")) return;
    if (result.isOpen && open === null) {
      onResultKey(event, target);
      return;
    }
    flow.stopwatch.keyPressed();
    const isOwnField = work.labels.contains(target);
    if (open === null && (isOwnField || !isTextField(target)) && state.labels.press(event)) {
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    if (isTextField(target) && !(isOwnField && state.config.labels.kind === "number" && event.key !== "Backspace")) return;
    const meaning = event.key === "Escape" && open === null && flow.review !== null ? "back" : state.keys.meaningOf(event)?.action;
    const action = meaning !== undefined && isOffered(meaning) ? meaning : undefined;
    if (action === undefined && open === null && instances.onKey(event)) {
      event.preventDefault();
      event.stopPropagation();
    }
    if (action === undefined && open === null && !event.defaultPrevented) hintAt(event, target);
    // The key that opened a dialog closes it; the others are off meanwhile.
    if (action === undefined || (open !== null && open.dataset.aew !== action)) return;
    event.preventDefault();
    event.stopPropagation();
    if (!event.repeat) act(action);
  }

  // While the result is shown, no key labels.
  function onResultKey(event, target) {
    if (isTextField(target)) return;
    const action = event.key === "Escape" ? "result" : state.keys.meaningOf(event)?.action;
    if (!ALWAYS.has(action) && action !== "undo") return;
    event.preventDefault();
    event.stopPropagation();
    if (event.repeat) return;
    if (action === "undo" || action === "guidelines") showResult(false);
    act(action);
  }

  // -- what Python answers ------------------------------------------------------------------------------

  function onReply(message, buffers, isOwn) {
    if (message.state) {
      flow.takeState(message.state);
      state.notice = null;
      state.hint = null;
      redrawPlotsSoon();
    }
    if (message.config) takeConfig(message.config);
    flow.keeping.take(message);
    if (message.session_text) state.config.session_text = message.session_text;
    if (message.instances && isOwn) {
      flow.msEach = message.ms_each || flow.msEach;
      message.instances.forEach((instance, i) => instances.add(instance, buffers[i]));
    }
    if (message.history && isOwn) history.show(message.history, buffers);
    if (message.more && isOwn) instances.addMore(message.more, buffers[0]);
    if (isOwn) {
      if (message.undone) {
        flow.earlier.set(message.undone.index, message.undone.value);
        state.shown = null; // so that it is shown with it
      }
      flow.outbox.settle(message);
      if (message.error && !message.is_kept) state.notice ??= message.error;
      if (message.prediction) state.prediction = message.prediction;
      if (message.open_session) location.search = `?session=${encodeURIComponent(message.open_session)}`;
    }
    if (message.state?.estimate) numbers.showEstimate(message.state.estimate);
    if (message.state) numbers.showProgress(message.state.progress);
    if (message.plots) plots.show(message.plots);
    if (message.row && isOwn) {
      flow.goTo(message.row);
      [state.returns, state.leaves] = [state.leaves, false];
    }
    if (message.goal) goal.show(message.goal);
    if (message.result && isOwn) result.show(message.result, buffers);
    if (message.file && isOwn) saveFile(message.file);
    if (message.plots && result.isOpen) result.ask(); // what it tells has changed
    if (message.confusion) confusion.show(message.confusion);
    if (flow.python !== null && (message.state || message.error)) paintStatus();
    paint();
    if (state.config !== null) flow.askForInstances();
  }

  function takeConfig(config) {
    const isFirst = state.config === null;
    state.config = config;
    setText(page.title, config.title);
    setText(page.about, config.about);
    page.about.title = `${config.about}; ${config.session_text}`;
    root.toggleAttribute("data-standalone", config.is_standalone);
    page.newSession.hidden = !config.is_standalone;
    page.sessions.hidden = !config.is_standalone || config.sessions.length < 2;
    page.sessions.replaceChildren(...config.sessions.map((name) => element("option", { value: name }, name)));
    page.sessions.value = config.session;
    state.keys = new KeyMap(config.keys);
    state.labels = makeLabels(config.labels, state.keys, give);
    state.shown = null;
    work.labels.replaceChildren(state.labels.node);
    root.toggleAttribute("data-no-confusion", !config.has_confusion);
    if (config.is_labeler_view) panels.keepLabelerView();
    work.guidelines.show(config.guidelines, config.keys.scope);
    reasons.setReasons(config.reasons);
    settings.show(state.keys, config.actions);
    showKeys();
    if (config.goal) goal.show(config.goal);
    if (!isFirst) return;
    if (config.goal) goal.begin(config.keys.scope);
    // On a page of its own, keys act wherever the focus is; in a notebook, only inside the widget.
    (config.is_standalone ? document : root).addEventListener("keydown", onKeydown, { signal: listeners.signal });
    if (config.is_standalone) root.focus({ preventScroll: true });
  }

  const shownActions = () =>
    state.config.actions.filter(({ name }) => name !== "guidelines" || work.guidelines.isThere);

  // Whether an action is one of this page's: who labels without the estimate has none that tells of it.
  const isOffered = (name) => ["back", "new_session"].includes(name) || shownActions().some((action) => action.name === name);

  // A key that does nothing here is told of; not what moves, scrolls or belongs to the browser.
  function hintAt(event, target) {
    if (event.key.length > 1 || event.key === " " || isTextField(target) || event.repeat) return;
    if (state.keys.meaningOf(event)?.label !== undefined) return; // a label's key, while nothing can be labeled
    const [help] = state.keys.keysOf("action help");
    state.hint = `${shownKey(keyNames(event)[0])} does nothing here. ${shownKey(help)} shows all keys.`;
    paintStatus();
  }

  function showKeys() {
    state.labels.showKeys();
    work.showActions(shownActions(), state.keys);
    for (const button of [goal.result, seeResult]) {
      button.replaceChildren(...keyCaps(state.keys.keysOf("action result").slice(0, 1)), "See the result");
    }
    paint();
  }

  page.sessions.addEventListener("change", () => {
    location.search = `?session=${encodeURIComponent(page.sessions.value)}`;
  });

  // -- start --------------------------------------------------------------------------------------------

  // The root is the box around this widget and the plots. It is an ancestor once the view is in the page.
  function start() {
    root = el.closest(".aew-app") ?? el;
    root.dataset.aew = "app";
    root.dataset.state = "saving";
    root.tabIndex = 0;
    root.setAttribute("role", "region");
    root.setAttribute("aria-label", "Labeling session");
    // JupyterLab's and Notebook's own shortcuts would cut, delete or split the cell. They look for this mark from
    // the focused element upwards, but stop where one of them fits before: so that element itself must have it.
    root.dataset.lmSuppressShortcuts = "true";
    root.addEventListener("focusin", ({ target }) => {
      target.dataset.lmSuppressShortcuts = "true";
    }, { signal: listeners.signal });
    panels.apply(root);
    connection.send("hello");
  }
  whenever(() => el.isConnected, start, listeners.signal);

  return () => {
    listeners.abort();
    clearTimeout(restTimer);
    connection.close();
    flow.close();
    instances.close();
    result.forget();
    plots.close();
  };
}

export default { render };
