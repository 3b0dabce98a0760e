// The result: the answer in one sentence, how sure it is, the plot, what it cost, and where the model was wrong. It
// takes the place of labeling until one goes back.

const FILES = { html: "Report (HTML)", labels: "Labels (CSV)", markdown: "Report (Markdown)", events: "All events (CSV)" };

function saveFile({ name, type, text }) {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  element("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

// Without the permission of a secure context, a field that is not seen has to do.
async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const field = element("textarea", { class: "aew-visually-hidden" });
    field.value = text;
    document.body.append(field);
    field.select();
    const isCopied = document.execCommand("copy");
    field.remove();
    if (!isCopied) throw new Error("the browser does not let the page copy");
  }
}

class ResultScreen {
  // `ask` sends for the content, `save` for a file by its kind; `goTo` looks at an instance again.
  constructor({ ask, save, goTo, goOn }) {
    Object.assign(this, { ask, save });
    this.content = null;
    this.urls = [];
    this.badge = element("p", { class: "aew-outcome-badge" });
    this.answer = element("h2", { class: "aew-answer", id: "aew-outcome-answer", tabindex: "-1" });
    this.confidence = element("p", { class: "aew-outcome-confidence" });
    this.caveats = element("div", { class: "aew-outcome-caveats" });
    this.bar = this.buildBar();
    this.figures = element("dl", { class: "aew-outcome-figures" });
    this.copied = element("span", { class: "aew-outcome-copied", role: "status" });
    const button = (text, name, act, isMain = false) => element("button", {
      type: "button", class: isMain ? "aew-main" : "", "data-action": name, onclick: onceClicked(act),
    }, text);
    this.copy = button("Copy the answer", "copy", () => this.copyAnswer(), true);
    this.goOn = button("Label more", "go_on", goOn);
    this.files = Object.fromEntries(Object.entries(FILES).map(([kind, text]) => [kind, button(text, `save_${kind}`, () => this.save(kind))]));
    this.more = element("details", { class: "aew-outcome-more" }, element("summary", {}, "More files"), this.files.markdown, this.files.events);
    const card = element("div", { class: "aew-card aew-outcome-card" },
      this.badge, this.answer, this.confidence, this.bar.node, this.caveats, this.figures,
      element("div", { class: "aew-outcome-buttons" }, this.copy, this.files.html, this.files.labels, this.goOn, this.more),
      this.copied);
    this.plotTitle = element("h3");
    this.legend = element("ul", { class: "aew-legend" });
    this.chart = new Chart(goTo);
    this.plot = element("div", { class: "aew-card aew-outcome-plot aew-panel" }, this.plotTitle, this.legend, this.chart.box);
    this.mistakesTitle = element("h3");
    this.mistakesHint = element("span", { class: "aew-outcome-hint" });
    this.list = element("ul", { class: "aew-mistakes" });
    this.mistakes = element("div", { class: "aew-card aew-outcome-mistakes" },
      element("div", { class: "aew-mistakes-head" }, this.mistakesTitle, this.mistakesHint), this.list);
    this.goTo = goTo;
    this.node = element("section", { class: "aew-outcome", "data-aew": "result", "aria-labelledby": "aew-outcome-answer", hidden: "" },
      element("div", { class: "aew-outcome-top" }, card, this.plot), this.mistakes);
  }

  get isOpen() {
    return !this.node.hidden;
  }

  buildBar() {
    const band = element("span", { class: "aew-band" });
    const dot = element("span", { class: "aew-dot" });
    const zero = element("span", { class: "aew-zero" });
    const ends = [element("span", { class: "aew-end" }), element("span", { class: "aew-end" })];
    const node = element("div", { class: "aew-outcome-bar", "aria-hidden": "true" }, element("div", { class: "aew-track" }, zero, band, dot), ...ends);
    return { node, band, dot, zero, ends };
  }

  open() {
    this.node.hidden = false;
    this.node.scrollTop = 0;
    setText(this.copied, "");
    this.ask();
    this.answer.focus({ preventScroll: true });
  }

  close() {
    this.node.hidden = true;
  }

  show({ badge, answer, confidence, caveats, bar, figures, copy, can_go_on: canGoOn, is_whole: isWhole, plot, mistakes }, thumbnails) {
    this.content = { copy };
    setText(this.badge, badge);
    setText(this.answer, answer);
    setText(this.confidence, confidence);
    this.confidence.hidden = confidence === "";
    this.caveats.replaceChildren(...caveats.map((text) => element("p", {}, text)));
    this.showBar(bar);
    this.figures.replaceChildren(...figures.map(({ value, text, title }) =>
      element("div", title ? { title } : {}, element("dt", {}, value), element("dd", {}, text))));
    for (const node of [this.copy, ...Object.values(this.files), this.more]) node.hidden = !isWhole;
    this.goOn.hidden = !canGoOn;
    this.goOn.classList.toggle("aew-main", !isWhole);
    this.plot.hidden = !plot;
    if (plot) {
      setText(this.plotTitle, plot.heading);
      this.legend.replaceChildren(...plot.legend.map(([kind, text]) => element("li", {}, swatch(kind), text)));
      this.chart.show(plot);
    }
    this.node.classList.toggle("aew-alone", !plot);
    this.showMistakes(mistakes ?? null, thumbnails);
  }

  showBar(content) {
    const { node, band, dot, zero, ends } = this.bar;
    node.hidden = content === null;
    if (content === null) return;
    const percent = (share) => `${(100 * share).toFixed(2)}%`;
    band.style.left = percent(content.low);
    band.style.right = percent(1 - content.high);
    dot.style.left = percent(content.value);
    zero.hidden = content.zero === null;
    zero.style.left = percent(content.zero ?? 0);
    // Texts that would overlap stand apart.
    const least = 0.16;
    const middle = (content.low + content.high) / 2;
    const places = content.high - content.low < least ? [middle - least / 2, middle + least / 2] : [content.low, content.high];
    content.texts.forEach((text, i) => {
      setText(ends[i], text);
      ends[i].style.left = percent(Math.min(0.95, Math.max(0.05, places[i])));
    });
  }

  showMistakes(content, thumbnails) {
    for (const url of this.urls) URL.revokeObjectURL(url);
    this.urls = [];
    this.mistakes.hidden = content === null || content.rows.length === 0;
    if (this.mistakes.hidden) {
      this.list.replaceChildren();
      return;
    }
    setText(this.mistakesTitle, content.heading);
    setText(this.mistakesHint, content.hint);
    this.list.replaceChildren(...content.rows.map((row) => element("li", {}, this.mistake(row, thumbnails))));
  }

  mistake({ index, id, truth, said, sureness, content, thumbnail, mime, is_pixelated: isPixelated }, thumbnails) {
    let shown = element("span", { class: "aew-mistake-text", dir: "auto" }, content || id);
    if (thumbnail !== undefined) {
      const url = URL.createObjectURL(new Blob([thumbnails[thumbnail]], { type: mime }));
      this.urls.push(url);
      shown = element("img", { src: url, alt: `Instance ${id}`, class: isPixelated ? "aew-pixelated" : null });
    }
    const told = truth === "" ? [said] : ["true ", element("strong", {}, truth), `, said ${said} `];
    return element("button", { type: "button", class: "aew-mistake", "data-index": index, onclick: onceClicked(() => this.goTo(index)) },
      shown, element("span", { class: "aew-mistake-said" }, ...told, element("span", { class: "aew-sureness" }, sureness)));
  }

  async copyAnswer() {
    if (!this.content) return;
    try {
      await copyText(this.content.copy);
      setText(this.copied, "Copied.");
    } catch (error) {
      setText(this.copied, `Not copied: ${error.message}.`);
    }
    this.copy.focus({ preventScroll: true });
  }

  forget() {
    for (const url of this.urls) URL.revokeObjectURL(url);
    this.chart.close();
  }
}
