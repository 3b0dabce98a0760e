// The report on the session as it is now, to read and to keep.

function saveFile(name, type, text) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  element("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

class Report {
  constructor() {
    this.text = element("div", { class: "aew-report-text aew-html", tabindex: "0", role: "region", "aria-label": "Report" });
    const keep = (text, act) => element("button", { type: "button", class: "aew-label aew-quiet", onclick: act }, text);
    this.dialog = makeDialog("report", "Report", this.text, element("div", { class: "aew-report-keep" },
      keep("Save the report (Markdown)", () => saveFile(`${this.content.name}.md`, "text/markdown", this.content.markdown)),
      keep("Save all answers (CSV)", () => saveFile(`${this.content.name}.csv`, "text/csv", this.content.csv))));
  }

  open() {
    this.text.replaceChildren(element("p", {}, "…"));
    this.dialog.showModal();
  }

  show(content) {
    this.content = content;
    this.text.replaceChildren(buildTree(content.tree));
  }
}
