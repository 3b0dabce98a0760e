// The estimate in words and the progress: what Python alone knows, so it changes with its answers, not with keys.

const FIGURES = {
  labels: "labels",
  draws: "draws",
  effective_sample_size: "effective sample size",
  seconds: "seconds per label",
};

function buildNumbers() {
  const title = element("h2");
  const value = element("p", { class: "aew-value" });
  const sentence = element("p", { class: "aew-sentence", "aria-live": "polite" });
  const warning = element("p", { class: "aew-warning", "aria-live": "polite", hidden: "" });
  const note = element("p", { class: "aew-note" });
  const estimate = element("section", { class: "aew-estimate", "data-aew": "estimate", "aria-label": "Estimate" },
    title, value, sentence, warning, note);

  const bar = element("div", { class: "aew-bar", role: "progressbar", "aria-label": "Labels of budget" });
  const list = element("div", { class: "aew-figures" });
  const figures = {};
  for (const [name, text] of Object.entries(FIGURES)) {
    figures[name] = element("strong", { "data-figure": name });
    list.append(element("span", { class: "aew-figure" }, figures[name], ` ${text}`));
  }
  const progress = element("section", { class: "aew-progress", "data-aew": "progress", "aria-label": "Progress" },
    bar, list);

  function showEstimate(content) {
    estimate.dataset.value = content.value ?? "";
    estimate.dataset.low = content.low ?? "";
    estimate.dataset.high = content.high ?? "";
    setText(title, content.title);
    setText(value, content.headline);
    setText(sentence, content.sentence);
    setText(note, content.note);
    warning.hidden = content.warning === "";
    setText(warning, content.warning);
  }

  function showProgress(content) {
    for (const [name, node] of Object.entries(figures)) {
      setText(node, content[name] ?? "");
      node.parentNode.hidden = !(name in content);
    }
    bar.hidden = content.share === null;
    if (content.share === null) return;
    bar.style.setProperty("--aew-share", content.share);
    bar.setAttribute("aria-valuenow", Math.round(100 * content.share));
  }

  return {
    estimate,
    progress,
    showEstimate,
    showProgress,
  };
}
