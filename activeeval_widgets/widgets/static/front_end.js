// One view of a labeling session. Python owns the truth; this view shows it, and runs ahead of it by one thing
// alone: after a label the next drawn instance is shown at once, while the label is being saved.

const PANELS = { estimate: "Estimate", trajectory: "Estimate after each draw", distribution: "Which instances are drawn" };

const REST_BEFORE_PLOTS = 120; // plots are redrawn once the fingers rest for this many ms

function render({ model, el }) {
  el.classList.add("aew-front-end");
  const listeners = new AbortController();
  const state = {
    config: null,
    python: null, // the last state that Python told
    unsaved: [], // labels given here and not yet answered: { seq, draw, text }
    shownDraw: null,
    shownAt: 0,
    notice: null, // what went wrong with the last answer
    prediction: null, // { draw, text }
    isHelpShown: false,
    lastClick: 0,
  };
  let root = el;
  let restTimer = null;

  const instances = new Instances({
    onReady: () => {
      paint();
      askForInstances();
    },
    askForMore: (what) => connection.send("more", what),
  });
  const page = buildPage(act, (i, event) => labelByClick(i, event));
  const numbers = buildNumbers();
  page.instance.append(instances.slot, instances.tools.bar);
  const panels = new Panels(PANELS, { hiddenAtFirst: ["confusion"], onChange: () => redrawPlotsSoon() });
  el.append(page.header, page.banner, page.work, numbers.progress, panels.dialog);
  const connection = new Connection(model, { onReply, onChange: () => paint() });

  // -- what is shown ------------------------------------------------------------------------------------

  const unsavedDraws = () => new Set(state.unsaved.map((label) => label.draw));
  const queue = () => {
    const answered = unsavedDraws();
    return (state.python?.queue ?? []).filter((drawn) => !answered.has(drawn.draw));
  };
  const shown = () => queue()[0] ?? null;
  const isAsking = () => connection.isWaitingFor("undo", "defer", "exclude");
  const isSaving = () => connection.isWaitingFor("label", "undo", "defer", "exclude");
  const isDone = () => state.python !== null && state.python.is_done && state.unsaved.length === 0;
  const canAnswer = () =>
    !connection.isLost && !isAsking() && shown() !== null && instances.elements.has(shown().index);

  function stateName() {
    if (connection.isLost) return "disconnected";
    if (state.python === null || isSaving()) return "saving";
    return isDone() ? "done" : "ready";
  }

  function paint() {
    if (state.config === null) {
      paintBanner();
      return;
    }
    const drawn = shown();
    const content = drawn && instances.elements.get(drawn.index);
    if (content) {
      instances.show(content);
      page.instance.dataset.instanceId = drawn.id;
      if (state.shownDraw !== drawn.draw) {
        state.shownDraw = drawn.draw;
        state.shownAt = performance.now();
      }
    } else if (isDone()) {
      instances.show(element("p", { class: "aew-done" }, state.python.done_text));
      delete page.instance.dataset.instanceId;
    } else {
      instances.show(element("p", { class: "aew-waiting" }, "…"));
      delete page.instance.dataset.instanceId;
    }
    setText(page.question, isDone() ? "Done" : state.config.question);
    setText(page.number, drawn ? `draw ${drawn.draw}` : "");
    const prediction = state.prediction !== null && state.prediction.draw === drawn?.draw ? state.prediction : null;
    page.prediction.hidden = prediction === null;
    setText(page.prediction, prediction?.text ?? "");

    for (const button of page.labels.children) button.disabled = !canAnswer();
    for (const button of page.actions.children) {
      const name = button.dataset.action;
      button.disabled = name === "help" || name === "panels" ? false
        : name === "undo" ? connection.isLost || isSaving() || !state.python.can_undo
        : !canAnswer();
    }
    page.help.hidden = !state.isHelpShown;
    paintBanner();

    root.dataset.state = stateName();
    root.dataset.draw = drawn ? drawn.draw : "";
    root.dataset.nLabels = state.python.n_labels;
    root.dataset.nDraws = state.python.n_draws;
  }

  function paintStatus() {
    setText(page.status, state.notice ?? state.python.status);
    page.status.classList.toggle("aew-error", state.notice !== null);
  }

  function paintBanner() {
    page.banner.hidden = !connection.isLost;
    if (!connection.isLost) return;
    root.dataset.state = "disconnected";
    const unsaved = state.unsaved.map((label) => `${label.text} (draw ${label.draw})`).join(", ");
    const what = unsaved ? `Not saved: ${unsaved}. ` : "";
    const how = state.config?.is_standalone === false
      ? "If it stays silent, restart the kernel and run the cell again"
      : "If it stays silent, reload the page";
    setText(page.bannerText, `${what}Python does not answer. ${how}: all that was saved is kept.`);
    page.reload.hidden = state.config?.is_standalone === false;
  }

  // -- what the person does -----------------------------------------------------------------------------

  function label(i) {
    const drawn = shown();
    if (!canAnswer()) return;
    const seconds = (performance.now() - state.shownAt) / 1000;
    const seq = connection.send("label", { draw: drawn.draw, label: i, seconds });
    state.unsaved.push({ seq, draw: drawn.draw, text: state.config.labels[i].text });
    state.notice = null;
    const button = page.labels.children[i];
    button.classList.remove("aew-pressed");
    void button.offsetWidth; // restarts the animation
    button.classList.add("aew-pressed");
    afterAnswer();
  }

  function labelByClick(i, event) {
    // The second click of a double click is not meant for the next instance.
    if (event.detail > 1 && event.timeStamp - state.lastClick < 400) return;
    state.lastClick = event.timeStamp;
    label(i);
  }

  function act(name) {
    if (name === "help" || name === "close") {
      state.isHelpShown = name === "help" && !state.isHelpShown;
      if (!state.isHelpShown && page.help.contains(document.activeElement)) root.focus({ preventScroll: true });
      paint();
    } else if (name === "panels") {
      panels.toggle();
    } else if (name === "undo") {
      if (connection.isLost || isSaving() || !state.python?.can_undo) return;
      connection.send("undo");
      afterAnswer();
    } else if (name === "defer" || name === "exclude") {
      if (!canAnswer()) return;
      connection.send(name, { draw: shown().draw, seconds: (performance.now() - state.shownAt) / 1000 });
      afterAnswer();
    } else if (name === "prediction") {
      if (!canAnswer()) return;
      if (state.prediction?.draw === shown().draw) {
        state.prediction = null;
        paint();
      } else connection.send("prediction", { draw: shown().draw });
    } else if (name === "new_session") {
      connection.send("new_session");
    }
  }

  function afterAnswer() {
    state.isHelpShown = false;
    paint();
    askForInstances();
    redrawPlotsSoon();
  }

  function redrawPlotsSoon() {
    clearTimeout(restTimer);
    restTimer = setTimeout(() => {
      if (isSaving() || connection.isWaitingFor("plots")) redrawPlotsSoon();
      else connection.send("plots");
    }, REST_BEFORE_PLOTS);
  }

  function askForInstances() {
    const indices = instances.missing(queue());
    if (indices.length === 0) return;
    for (const index of indices) instances.wanted.add(index);
    connection.send("instances", { indices });
  }

  function onKeydown(event) {
    if (state.config === null || event.defaultPrevented) return;
    const target = event.composedPath()[0];
    if (target.closest?.("dialog")) return; // a dialog has its own keys
    if (target !== document.body && target !== document.documentElement && !root.contains(target)) return;
    const meaning = meaningOf(event, state.config.labels);
    if (meaning === null && instances.onKey(event)) {
      event.preventDefault();
      event.stopPropagation();
    }
    if (meaning === null || (meaning.action === "close" && !state.isHelpShown)) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.repeat) return; // a key that is held down labels once
    if ("label" in meaning) label(meaning.label);
    else act(meaning.action);
  }

  // -- what Python answers ------------------------------------------------------------------------------

  function onReply(message, buffers, isOwn) {
    if (message.config) takeConfig(message.config);
    if (message.instances && isOwn) {
      message.instances.forEach((instance, i) => instances.add(instance, buffers[i]));
    }
    if (message.more && isOwn) instances.addMore(message.more, buffers[0]);
    if (isOwn) {
      state.unsaved = state.unsaved.filter((unsaved) => unsaved.seq > message.seq);
      // Labels sent after one that was refused are refused, too; the first refusal says why.
      if (message.error) state.notice ??= message.error;
      if (message.prediction) state.prediction = message.prediction;
      if (message.open_session) location.search = `?session=${encodeURIComponent(message.open_session)}`;
    }
    if (message.state) {
      state.python = message.state;
      state.notice = null;
      redrawPlotsSoon();
    }
    if (message.state) numbers.show(message.state);
    if (message.plots) describePlots(root, message.plots);
    if (state.python !== null && (message.state || message.error)) paintStatus();
    paint();
    if (state.config !== null) askForInstances();
  }

  function takeConfig(config) {
    const isFirst = state.config === null;
    state.config = config;
    setText(page.title, config.title);
    setText(page.session, config.session_text);
    page.newSession.hidden = !config.is_standalone;
    page.sessions.hidden = !config.is_standalone || config.sessions.length < 2;
    page.sessions.replaceChildren(...config.sessions.map((name) => element("option", { value: name }, name)));
    page.sessions.value = config.session;
    page.showLabels(config.labels);
    if (!isFirst) return;
    // On a page of its own, keys act wherever the focus is; in a notebook, only inside the widget.
    (config.is_standalone ? document : root).addEventListener("keydown", onKeydown, { signal: listeners.signal });
    if (config.is_standalone) root.focus({ preventScroll: true });
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
    // JupyterLab's and Notebook's own shortcuts would cut or split the cell.
    root.dataset.lmSuppressShortcuts = "true";
    panels.apply(root);
    // The box of the plots is another widget's: it comes into the page when it is ready.
    whenever(() => root.querySelector(".aew-side"), (side) => side.prepend(numbers.estimate), listeners.signal);
    connection.send("hello");
  }
  whenever(() => el.isConnected, start, listeners.signal);

  return () => {
    listeners.abort();
    clearTimeout(restTimer);
    connection.close();
    instances.close();
  };
}

export default { render };
