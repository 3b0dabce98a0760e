// The part of the page that is not a plot: built once, then only its texts and attributes change.

function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value !== null) node.setAttribute(name, value);
  }
  node.append(...children);
  return node;
}

const setText = (node, text) => {
  if (node.textContent !== text) node.textContent = text;
};

// Call `then` with what `find` finds, now or as soon as a change of the page brings it.
function whenever(find, then, signal) {
  const found = find();
  if (found) {
    then(found);
    return;
  }
  const observer = new MutationObserver(() => {
    const late = find();
    if (!late) return;
    observer.disconnect();
    then(late);
  });
  observer.observe(document, { childList: true, subtree: true });
  signal.addEventListener("abort", () => observer.disconnect());
}

const key = (name) => element("kbd", {}, name);

// The header: what is evaluated, how far it is, and the way to the results.
function buildPage(act, progress) {
  const page = {
    title: element("h1"),
    about: element("p", { class: "aew-about" }),
    sessions: element("select", { class: "aew-sessions", "aria-label": "Session", hidden: "" }),
    newSession: element("button", {
      type: "button", class: "aew-action", "data-action": "new_session", hidden: "",
      onclick: () => act("new_session"),
    }, "New session"),
    results: element("button", {
      type: "button", class: "aew-results", "data-action": "result", onclick: onceClicked(() => act("result")),
    }, "Results"),
    banner: element("div", { class: "aew-banner", role: "alert", "data-aew": "disconnected", hidden: "" }),
    bannerText: element("span"),
    reload: element("button", { type: "button", class: "aew-action", onclick: () => location.reload() }, "Reload"),
  };
  page.banner.append(page.bannerText, page.reload);
  page.header = element("header", { class: "aew-header" },
    page.title, page.about, progress.figures, page.sessions, page.newSession, page.results, progress.bar);
  return page;
}
