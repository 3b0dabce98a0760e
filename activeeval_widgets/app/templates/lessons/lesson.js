(() => {
  "use strict";
  const LOST = 120000; // after this long without anything new, say that something has failed
  const place = () => document.getElementById("aew-running");
  const tell = (text) => {
    const told = document.getElementById("aew-running-text");
    if (told && told.textContent !== text) told.textContent = text;
  };
  let timer;
  const expect = () => {
    clearTimeout(timer);
    timer = setTimeout(() => tell("The server has not answered for two minutes. Reloading this page tries again."), LOST);
  };

  const look = () => {
    const failure = document.getElementById("aew-failure");
    if (failure) {
      observer.disconnect();
      clearTimeout(timer);
      place()?.classList.add("aew-stopped");
      return tell(`This lesson could not start: ${failure.content.textContent}`);
    }
    const cells = document.getElementById("aew-cells");
    if (!cells) {
      const queue = document.querySelectorAll("template.aew-queue");
      if (queue.length) tell("All places are taken. This page goes on by itself as soon as one is free.");
      return;
    }
    const shown = document.querySelectorAll(".aew-cell").length;
    if (!document.getElementById("aew-lesson-end")) return tell(`Running… ${shown} of ${cells.dataset.total} cells`);
    const widgets = [...document.querySelectorAll(".aew-widget, .aew-living")];
    const isFilled = (widget) =>
      widget.querySelector(".jupyter-widgets, .aew-app, .lm-Widget") && !widget.textContent.endsWith("Loading widget...");
    if (!widgets.every(isFilled)) return tell("Connecting the widgets…");
    observer.disconnect();
    clearTimeout(timer);
    if (isWidgetMissing()) {
      if (loadAgain()) return;
      place()?.classList.add("aew-stopped");
      return tell("Part of this lesson could not be displayed. Reloading this page tries again.");
    }
    document.documentElement.dataset.aewSettled = "";
    // What can be scrolled has to be within the keyboard's reach.
    for (const each of document.querySelectorAll(".aew-shown, .aew-lesson math[display=block]"))
      if (each.scrollWidth > each.clientWidth) each.tabIndex = 0;
    place()?.remove();
  };
  const observer = new MutationObserver(() => {
    expect();
    look();
  });
  observer.observe(document.body, { childList: true, subtree: true });
  expect();
  addEventListener("DOMContentLoaded", () => {
    look();
    if (!document.getElementById("aew-lesson-end") && !document.getElementById("aew-failure"))
      tell("The server stopped while the page was loading.");
  });

  document.addEventListener("click", ({ target }) => {
    if (target.id !== "aew-all-code") return;
    const isShown = target.getAttribute("aria-pressed") !== "true";
    target.setAttribute("aria-pressed", String(isShown));
    target.textContent = isShown ? "Hide all code" : "Show all code";
    for (const code of document.querySelectorAll(".aew-code:not([data-aew-answer])")) code.open = isShown;
  });

  // Called by Voilà while the notebook runs and when it is shown; the observer above does their work.
  window.voila_heartbeat = window.voila_process = window.voila_finish = () => {};
})();
