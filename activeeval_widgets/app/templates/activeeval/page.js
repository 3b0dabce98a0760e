(() => {
  "use strict";
  const LATE = 30000; // after this long, say that it is known to take long
  const LOST = 120000; // after this long, say that it has failed
  const status = () => document.querySelector("#aew-loading .aew-status");
  let timers = [];

  const settle = () => {
    timers.forEach(clearTimeout);
    observer.disconnect();
    document.documentElement.dataset.aewSettled = "";
    document.getElementById("aew-loading")?.remove();
    // What is hidden takes no focus: an app that was shown a moment too early gets it now.
    if (document.activeElement === document.body)
      document.querySelector('[data-aew="app"]')?.focus({ preventScroll: true });
  };
  const fail = (reason) => {
    timers.forEach(clearTimeout);
    const page = document.getElementById("aew-loading");
    if (!page || page.querySelector("[role=alert]")) return;
    page.querySelector(".aew-bar").remove();
    status().remove();
    const box = document.createElement("div");
    box.className = "aew-failure";
    box.setAttribute("role", "alert");
    const add = (tag, text) => box.appendChild(document.createElement(tag)).append(text);
    add("h1", "The app could not start");
    add("p", reason);
    add("p", "Details are in the terminal that the server runs in. Reloading this page tries again; labels given so far are kept.");
    page.append(box);
  };
  const wait = (places) => {
    const ahead = Number([...places].pop().dataset.ahead);
    places.forEach((place) => place.remove());
    timers.forEach(clearTimeout);
    const others = ahead === 1 ? "One other is" : `${ahead} others are`;
    status().textContent =
      "All places are taken. This page opens by itself as soon as one is free" +
      (ahead ? `; ${others} waiting before you.` : ".");
    waits = true;
  };
  let waits = false;
  const look = () => {
    const places = document.querySelectorAll("template.aew-queue");
    if (places.length && status()) wait(places);
    if (waits && document.getElementById("jupyter-config-data")) {
      waits = false;
      if (status()) status().textContent = "Starting…";
      expect();
    }
    const failure = document.getElementById("aew-failure");
    if (failure) return fail(failure.content.textContent);
    if (document.querySelector('[data-aew="app"], [data-aew="race"], [data-aew="start"], #rendered_cells .aew-failure')) return settle();
    if (isWidgetMissing() && loadAgain()) return;
    if (isWidgetMissing() || document.querySelector("#rendered_cells .jupyter-widgets-error-widget, #rendered_cells [data-mime-type='application/vnd.jupyter.stderr']"))
      fail("Part of the page could not be displayed.");
  };
  const observer = new MutationObserver(look);
  observer.observe(document.body, { childList: true, subtree: true });

  const expect = () => {
    timers.forEach(clearTimeout);
    timers = [
      setTimeout(() => {
        if (status()) status().textContent = "Still starting. The first start after an installation can take a minute.";
      }, LATE),
      setTimeout(() => fail("The server has not answered for two minutes."), LOST),
    ];
  };
  expect();
  addEventListener("DOMContentLoaded", () => {
    look();
    if (!document.getElementById("jupyter-config-data")) fail("The server stopped while the page was loading.");
  });

  // Called by Voilà while the notebook runs and when it is shown; the observer above does their work.
  window.voila_heartbeat = window.voila_process = window.voila_finish = () => {};
})();
