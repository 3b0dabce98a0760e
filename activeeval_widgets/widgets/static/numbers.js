// The estimate in words and the progress: what Python alone knows, so it changes with its answers, not with keys.

function buildNumbers() {
  const title = element("h2");
  const value = element("p", { class: "aew-value" });
  const intro = element("p", { class: "aew-intro", "data-aew": "intro", hidden: "" });
  const sentence = element("p", { class: "aew-sentence", "aria-live": "polite" });
  const warning = element("p", { class: "aew-warning", "aria-live": "polite", hidden: "" });
  const note = element("p", { class: "aew-note" });
  // The bar shows what the sentence says.
  const ends = [element("span"), element("span")];
  const zero = element("span", { class: "aew-zero" });
  const band = element("span", { class: "aew-band" });
  const dot = element("span", { class: "aew-dot" });
  const interval = element("div", { class: "aew-interval", "aria-hidden": "true", hidden: "" },
    ends[0], element("div", { class: "aew-track" }, zero, band, dot), ends[1]);
  const estimate = element("section", { class: "aew-estimate", "data-aew": "estimate", "aria-label": "Estimate" },
    title, value, intro, interval, sentence, note, warning);

  const bar = element("div", { class: "aew-bar", role: "progressbar", "aria-label": "Labels of budget" });
  const figures = element("p", { class: "aew-progress", "data-aew": "progress" });

  function showEstimate(content) {
    const { dataset } = estimate;
    dataset.value = content.value ?? "";
    dataset.low = content.low ?? "";
    dataset.high = content.high ?? "";
    dataset.approximateLow = content.approximate_low ?? "";
    dataset.approximateHigh = content.approximate_high ?? "";
    setText(title, content.title);
    value.hidden = content.intro !== "";
    setText(value, content.headline);
    intro.hidden = content.intro === "";
    setText(intro, content.intro);
    showInterval(content.bar);
    showSentence(content);
    setText(note, content.note);
    warning.hidden = content.warning === "";
    setText(warning, content.warning);
  }

  // The interval in it stands out. Who hears it is told the value, too.
  function showSentence({ spoken, sentence: text, interval: important }) {
    const whole = `${spoken}${text}`;
    if (sentence.dataset.whole === whole) return;
    sentence.dataset.whole = whole;
    const at = important === "" ? -1 : text.indexOf(important);
    sentence.replaceChildren(element("span", { class: "aew-visually-hidden" }, spoken), ...(at < 0 ? [text]
      : [text.slice(0, at), element("strong", {}, important), text.slice(at + important.length)]));
  }

  function showInterval(content) {
    interval.hidden = content === null;
    if (content === null) return;
    const percent = (share) => `${(100 * share).toFixed(2)}%`;
    content.ends.forEach((text, i) => setText(ends[i], text));
    band.style.left = percent(content.low);
    band.style.right = percent(1 - content.high);
    band.classList.toggle("aew-approximate", content.is_approximate);
    dot.hidden = content.value === null;
    dot.style.left = percent(content.value ?? 0);
    zero.hidden = content.zero === null;
    zero.style.left = percent(content.zero ?? 0);
  }

  function showProgress(content) {
    setText(figures, content.text);
    bar.style.setProperty("--aew-share", content.share ?? 0);
    bar.setAttribute("aria-valuenow", Math.round(100 * (content.share ?? 0)));
    bar.hidden = content.share === null;
  }

  return {
    estimate,
    progress: { bar, figures },
    showEstimate,
    showProgress,
  };
}
