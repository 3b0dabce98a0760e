// The start page, with Python stood in for.

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type {
  EvaluationRow,
  MeasureOption,
  NewContent,
  PlanList,
  StartFromPython,
} from "../src/from_python/start_messages";
import start from "../src/start/index";
import type { StartModel } from "../src/start/start_screen";
import { Upload } from "../src/start/upload";
import { lastUsed } from "../src/start/used";

interface Sent extends Record<string, unknown> {
  type: string;
  client: string;
  seq: number;
}

let sent: Sent[];
let listener: ((message: StartFromPython, buffers: DataView[]) => void) | null;
let el: HTMLElement;
let close: () => void;

const HOSTILE = "<img src=x onerror=alert(1)>";
const row = (more: Partial<EvaluationRow> = {}): EvaluationRow => ({
  session: "tickets 1",
  title: "Tickets",
  question: "error rate",
  n_labels: 60,
  budget: 200,
  value: "7.2%",
  interval: "4% to 11%",
  last_used: "",
  who: "Ada",
  is_done: false,
  is_archived: false,
  missing: "",
  n_guest_links: 0,
  ...more,
});
const measure = (name: string, needs_class = false, option: MeasureOption | null = null) => ({
  name,
  text: name,
  sentence: `Tells ${name}.`,
  needs_class,
  option,
});
const content = (more: Partial<NewContent> = {}): NewContent => ({
  title: "Tickets",
  file: "/folder/tickets.csv",
  about: "tickets.csv · 2 rows",
  columns: [
    { name: "body", role: "text", text: "text", cells: [HOSTILE, "b"] },
    { name: "p_a", role: "proba", text: "probability: a", cells: ["0.1", "0.2"] },
  ],
  known_labels: null,
  roles: ["", "text", "proba"].map((name) => ({ name, text: name || "not used" })),
  guessed: ["texts: body"],
  problems: [],
  n_problems: 0,
  cannot_start: "",
  questions: [
    { text: "How often?", note: "", measures: [measure("error-rate"), measure("accuracy")] },
    { text: "One class?", note: "", measures: [measure("f1", true)] },
  ],
  classes: ["a", "b"],
  can_have_sheets: true,
  settings_file: "Kept in evaluation.toml.",
  given: null,
  ...more,
});
const step = (half_width: number, n_labels: number) => ({
  half_width,
  text: `± ${100 * half_width} points`,
  headline: `About ${n_labels} labels`,
  range: "(likely 90–400)",
  uniform: "Uniform sampling: about 900.",
  n_labels,
  budget: 2 * n_labels,
});
const plans = (measure: string, positive: string | null, ...steps: PlanList["steps"]): PlanList => ({
  measure,
  positive,
  sheets: find<HTMLInputElement>("#aew-sheets").checked,
  steps,
  first: 1,
  seconds: 6,
  n_instances: 5000,
  note: "",
});
const STEPS = [step(0.02, 900), step(0.05, 180), step(0.1, 40)];

const find = <T extends HTMLElement>(selector: string): T => {
  const found = el.querySelector<T>(selector);
  if (found === null) throw new Error(`there is no ${selector}`);
  return found;
};
const last = (type: string): Sent => {
  const found = sent.filter((message) => message.type === type).at(-1);
  if (found === undefined) throw new Error(`no ${type} was sent`);
  return found;
};
const answer = (type: string, message: StartFromPython) => {
  const { client, seq } = last(type);
  listener?.({ ...message, client, seq }, []);
};
const change = (node: HTMLSelectElement | HTMLInputElement, value?: string) => {
  if (value !== undefined) node.value = value;
  node.dispatchEvent(new Event(node instanceof HTMLSelectElement || node.type === "radio" ? "change" : "input"));
};

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("scrollTo", () => {});
  sent = [];
  history.replaceState(null, "");
  el = document.createElement("div");
  document.body.replaceChildren(el);
  const model: StartModel = {
    on: (_name, added) => {
      listener = added;
    },
    off: () => {
      listener = null;
    },
    send: (message) => sent.push(message as Sent),
  };
  close = start.render({ model, el });
  answer("hello", {
    start: {
      place: "evaluations.sqlite · 1 evaluation",
      folder: "/folder",
      notices: [],
      demos: [{ name: "digits", title: "Digits", text: "error rate" }],
      largest: 1000,
      largest_text: "1 kB",
      has_guests: true,
      part_size: 4,
    },
  });
});
afterEach(() => {
  close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("the evaluations", () => {
  const show = (...rows: EvaluationRow[]) => answer("evaluations", { evaluations: { rows, n_archived: 1 } });

  it("are listed with progress, answer and a way in", () => {
    show(row({ title: HOSTILE }), row({ session: "b", is_done: true }), row({ session: "c", missing: "gone" }));
    expect(el.querySelector("img")).toBeNull();
    expect(find("tbody th").textContent).toContain(HOSTILE);
    expect(find("tbody .aew-labels").textContent).toBe("60 of 200");
    expect(find(".aew-share").style.getPropertyValue("--aew-share")).toBe("0.3");
    const links = [...el.querySelectorAll<HTMLAnchorElement>("tbody a")];
    expect(links.map((link) => [link.textContent, link.getAttribute("href")])).toEqual([
      ["Open", "?session=tickets%201"],
      ["Result", "?session=b"],
    ]);
    expect(find(".aew-demo").getAttribute("href")).toBe("?session=digits");
  });

  it("get links for guests, with a word on who can open them", () => {
    show(row());
    for (const [host, isAdded] of [
      ["http://127.0.0.1:8866/", true],
      ["https://labels.example.org/team/", false],
    ] as const) {
      vi.stubGlobal("location", new URL(`${host}?token=of-the-owner`));
      find(".aew-menu-opener").click();
      [...el.querySelectorAll<HTMLElement>('[role="menuitem"]')]
        .find((item) => item.textContent === "Link for a guest")
        ?.click();
      answer("invite", { guest_link: { session: "tickets 1", token: "t" } });
      const dialog = find("dialog[open]");
      expect(dialog.querySelector("input")?.value).toBe(`${host}?token=t&session=tickets+1`);
      expect(dialog.textContent?.includes("--host 0.0.0.0")).toBe(isAdded);
      (dialog as HTMLDialogElement).close();
    }
  });

  it("have a menu that arrows move in, and Esc closes", () => {
    show(row());
    const opener = find(".aew-menu-opener");
    const press = (key: string) =>
      document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    opener.focus();
    press("ArrowDown");
    expect(document.activeElement?.textContent).toBe("Report (HTML)");
    press("ArrowUp");
    expect(document.activeElement?.textContent).toBe("Archive");
    press("Escape");
    expect(document.activeElement).toBe(opener);
    expect(find("[role=menu]").hidden).toBe(true);
    opener.click();
    press("End");
    (document.activeElement as HTMLElement).click();
    expect(last("archive")).toMatchObject({ session: "tickets 1", is_archived: true });
  });

  it("are looked at again, but not while a menu is open, and keep the focus", () => {
    show(row(), row({ session: "b" }));
    const asked = () => sent.filter(({ type, is_repeated }) => type === "evaluations" && !is_repeated).length;
    el.querySelectorAll<HTMLElement>("tbody a")[1]?.focus();
    vi.advanceTimersByTime(5000);
    expect(asked()).toBe(2);
    show(row({ session: "b", n_labels: 61 }), row());
    expect(document.activeElement?.closest("tr")?.dataset.session).toBe("b");
    find(".aew-menu-opener").click();
    vi.advanceTimersByTime(9000);
    expect(asked()).toBe(2);
  });
});

describe("a new evaluation", () => {
  const begin = (more: Partial<NewContent> = {}) => {
    find("[data-action=folder]").click();
    answer("folder", { files: [{ path: "tickets.csv", size: "2 kB" }] });
    find("[data-path='tickets.csv']").click();
    answer("choose", { new: content(more) });
  };
  const settings = () => {
    find("[data-action=start]").click();
    return last("start");
  };

  it("begins with the first question, and what its plan says", () => {
    begin();
    expect(last("plans")).toMatchObject({ measure: "error-rate", positive: null });
    answer("plans", { plans: plans("error-rate", null, ...STEPS) });
    expect(find("[data-aew=plan]").textContent).toContain("About 180 labels (likely 90–400)");
    expect(el.querySelector(".aew-columns img")).toBeNull();
    expect(settings()).toMatchObject({ measure: "error-rate", half_width: 0.05, budget: 360, title: "Tickets" });
    answer("start", { error: "The disk is full." });
    expect(find(".aew-alert:not([hidden])").textContent).toBe("The disk is full.");
    expect(find<HTMLButtonElement>("[data-action=start]").disabled).toBe(false);
  });

  it("moves the slider without asking", () => {
    begin();
    answer("plans", { plans: plans("error-rate", null, ...STEPS) });
    const n = sent.length;
    change(find<HTMLInputElement>("#aew-slider"), "2");
    expect(find(".aew-margin").textContent).toBe("± 10 points");
    expect(find("[data-aew=plan]").textContent).toContain("About 40 labels");
    expect(sent.length).toBe(n);
  });

  it("plans anew when sheets are switched on, and passes over an earlier plan", () => {
    begin();
    expect(last("plans")).toMatchObject({ sheets: false });
    const without = plans("error-rate", null, ...STEPS);
    find<HTMLInputElement>("#aew-sheets").click();
    answer("plans", { plans: without });
    expect(find("[data-aew=plan]").textContent).toContain("Planning…");
    expect(last("plans")).toMatchObject({ measure: "error-rate", sheets: true });
    answer("plans", { plans: plans("error-rate", null, ...STEPS) });
    expect(find("[data-aew=plan]").textContent).toContain("About 180 labels");
    expect(settings()).toMatchObject({ sheets: true, budget: 360 });
  });

  it("tells a plan's note beside its margins, and beside a number of labels", () => {
    begin();
    answer("plans", { plans: { ...plans("error-rate", null, ...STEPS), note: "Rather ask for nDCG." } });
    expect(find("[data-aew=plan]").textContent).toContain("Uniform sampling: about 900. Rather ask for nDCG.");
    const [, byNumber] = el.querySelectorAll<HTMLInputElement>("[name=aew-way]");
    if (byNumber) {
      byNumber.checked = true;
      change(byNumber);
    }
    expect(find("[data-aew=plan]").textContent).toContain("Rather ask for nDCG.");
    expect(find("[data-aew=plan]").textContent).not.toContain("Uniform sampling");
  });

  it("keeps a move of the slider that comes before the plan", () => {
    begin();
    answer("plans", { plans: plans("error-rate", null, ...STEPS) });
    const radio = [...el.querySelectorAll<HTMLInputElement>("[name=aew-question]")][1];
    if (radio) {
      radio.checked = true;
      change(radio);
    }
    expect(find("[data-aew=plan]").textContent).toContain("Planning…");
    change(find<HTMLInputElement>("#aew-slider"), "2");
    expect(find(".aew-margin").textContent).toBe("± 10 points");
    expect(find("[data-aew=plan]").textContent).toContain("Planning…");
    const { positive } = last("plans") as Sent & { positive: string };
    answer("plans", { plans: plans("f1", positive, ...STEPS) });
    expect(find("[data-aew=plan]").textContent).toContain("About 40 labels");
    expect(settings()).toMatchObject({ measure: "f1", half_width: 0.1 });
  });

  it("takes a number of labels in its place", () => {
    begin();
    answer("plans", { plans: plans("error-rate", null, ...STEPS) });
    const [, byNumber] = el.querySelectorAll<HTMLInputElement>("[name=aew-way]");
    byNumber?.click();
    change(find<HTMLInputElement>("#aew-budget"), "200");
    expect(find("[data-aew=plan]").textContent).toContain("About ± 5 points after 20 minutes");
    expect(settings()).toMatchObject({ half_width: null, budget: 200 });
    const before = sent.length;
    change(find<HTMLInputElement>("#aew-budget"), "2.5");
    find("[data-action=start]").click();
    expect(sent.length).toBe(before);
  });

  it("plans for the question chosen last, one at a time", () => {
    begin();
    const radios = [...el.querySelectorAll<HTMLInputElement>("[name=aew-question]")];
    const choose = (i: number) => {
      for (const [k, radio] of radios.entries()) radio.checked = k === i;
      const radio = radios[i];
      if (radio) change(radio);
    };
    choose(1);
    change(find<HTMLSelectElement>("[data-aew=positive]"), "a");
    expect(sent.filter(({ type }) => type === "plans")).toHaveLength(1);
    answer("plans", { plans: plans("error-rate", null, ...STEPS) });
    expect(find("[data-aew=plan]").textContent).toContain("Planning…");
    expect(last("plans")).toMatchObject({ measure: "f1", positive: "a" });
    answer("plans", { plans: plans("f1", "a", ...STEPS) });
    expect(find("[data-aew=plan]").textContent).toContain("About 180 labels");
  });

  it("asks for the number that a measure takes", () => {
    const option = { label: "How many results", before: "of the first", after: "results" };
    const measures = [
      measure("ndcg", false, { ...option, value: "", is_needed: false }),
      measure("precision", false, { ...option, value: "10", is_needed: true }),
      measure("err"),
    ];
    const given = {
      measure: "ndcg@7",
      positive: null,
      half_width: null,
      budget: 50,
      title: "T",
      guidelines: "",
      sheets: false,
    };
    begin({ questions: [{ text: "How good?", note: "", measures }], given });
    const planned = () => {
      const { measure } = last("plans") as Sent & { measure: string };
      answer("plans", { plans: plans(measure, null, ...STEPS) });
      return measure;
    };
    const number = () => find<HTMLInputElement>("[data-aew=measure-option]");
    const type = (value: string) => {
      number().value = value;
      number().dispatchEvent(new Event("change"));
    };
    expect(number().value).toBe("7");
    expect(planned()).toBe("ndcg@7");
    type("");
    expect(planned()).toBe("ndcg");
    change(find<HTMLSelectElement>("[data-aew=measure]"), "precision");
    expect(number().getAttribute("aria-label")).toBe("How many results");
    expect(find(".aew-selects").textContent).toContain("of the firstresults");
    expect(planned()).toBe("precision@10");
    type(" 5 ");
    expect(planned()).toBe("precision@5");
    expect(settings()).toMatchObject({ measure: "precision@5", positive: null });
    type("");
    expect(planned()).toBe("precision@10");
    change(find<HTMLSelectElement>("[data-aew=measure]"), "err");
    expect(el.querySelector("[data-aew=measure-option]")).toBeNull();
    expect(planned()).toBe("err");
  });

  it("takes an answer that comes twice once", () => {
    begin();
    answer("choose", { new: content() });
    expect(sent.filter(({ type }) => type === "plans")).toHaveLength(1);
  });

  it("changes what a column is", () => {
    begin();
    change(find<HTMLSelectElement>("[data-column=body]"), "");
    expect(last("roles")).toMatchObject({ roles: { body: "", p_a: "proba" } });
    const problem = { where: "Row 7", text: "the probabilities sum to 0.6.", remedy: "Check them." };
    answer("roles", { new: content({ problems: [problem], n_problems: 3, cannot_start: "No." }) });
    expect(find(".aew-problems").textContent).toContain("Row 7: the probabilities sum to 0.6. Check them.");
    expect(find("summary").textContent).toBe("Show all 3 problems");
    expect(find<HTMLButtonElement>("[data-action=start]").disabled).toBe(true);
  });

  it("asks how rows with known labels were chosen", () => {
    const known = () => find<HTMLSelectElement>(".aew-known select");
    const choices = ["", "sample", "labels"].map((name) => ({ name, text: `choice ${name}` }));
    const label = (role: string) => ({ name: "label", role, text: role, cells: ["a", ""] });
    begin();
    expect(find(".aew-known").hidden).toBe(true);
    const known_labels = { column: "label", text: "label has labels for 1 of 2 rows.", choices };
    begin({ known_labels, columns: [...content().columns, label("")] });
    expect(find(".aew-known").textContent).toContain("1 of 2 rows.");
    expect(known().value).toBe("");
    change(known(), "sample");
    expect(last("roles")).toMatchObject({ roles: { body: "text", p_a: "proba", label: "sample" } });
    answer("roles", { new: content({ known_labels, columns: [...content().columns, label("sample")] }) });
    expect(known().value).toBe("sample");
  });

  it("shows what the settings of a file say", () => {
    const given = {
      measure: "f1",
      positive: "a",
      half_width: 0.1,
      budget: 50,
      title: "T",
      guidelines: "# Look",
      sheets: true,
    };
    begin({ given, title: "T" });
    expect(last("plans")).toMatchObject({ measure: "f1", positive: "a" });
    answer("plans", { plans: plans("f1", "a", ...STEPS) });
    expect(find(".aew-margin").textContent).toBe("± 10 points");
    expect(find<HTMLTextAreaElement>("#aew-guidelines").value).toBe("# Look");
    expect(settings()).toMatchObject({ sheets: true });
  });

  it("offers sheets", () => {
    begin();
    answer("plans", { plans: plans("error-rate", null, ...STEPS) });
    expect(find(".aew-check").hidden).toBe(false);
    find<HTMLInputElement>("[data-aew=sheets]").checked = true;
    expect(settings()).toMatchObject({ sheets: true });
  });

  it("offers no sheets where no model says what it is sure of", () => {
    begin({ can_have_sheets: false });
    answer("plans", { plans: plans("error-rate", null, ...STEPS) });
    expect(find(".aew-check").hidden).toBe(true);
    find<HTMLInputElement>("[data-aew=sheets]").checked = true;
    expect(settings()).toMatchObject({ sheets: false });
  });
});

describe("the next version of an evaluation", () => {
  const follow = () => {
    answer("evaluations", { evaluations: { rows: [row()], n_archived: 0 } });
    [...el.querySelectorAll<HTMLElement>("[role=menuitem]")]
      .find((each) => each.textContent === "Next version")
      ?.click();
  };
  const drop = () => {
    const event = new Event("drop", { cancelable: true });
    const data = new DataTransfer();
    data.items.add(new File(["x"], "new.csv"));
    el.dispatchEvent(Object.assign(event, { dataTransfer: data }));
  };

  it("is the file that comes next", async () => {
    follow();
    expect(find("#aew-new").textContent).toBe("Next version of “Tickets”");
    expect(document.activeElement?.textContent).toBe("Choose a file");
    drop();
    await vi.waitFor(() => expect(sent.at(-1)).toMatchObject({ type: "upload", after: "tickets 1" }));
    answer("upload", { new: content() });
    expect(find("#aew-new").textContent).toBe("New evaluation");
  });

  it("can be left", async () => {
    follow();
    find("[data-action=not-next]").click();
    expect(find("#aew-new").textContent).toBe("New evaluation");
    expect(find("[data-action=not-next]").hidden).toBe(true);
    drop();
    await vi.waitFor(() => expect(sent.at(-1)).toMatchObject({ type: "upload", after: null }));
  });
});

describe("an upload", () => {
  it("goes part by part, each after the one before", async () => {
    const parts: [number, number][] = [];
    const shares: number[] = [];
    const upload = new Upload(new File(["0123456789"], "x.csv"), 4, {
      send: ({ offset }, bytes) => parts.push([offset, bytes.byteLength]),
      onProgress: (share) => shares.push(share),
      onError: () => {},
    });
    await upload.sendFrom(0);
    for (const n_bytes of [4, 8, 10]) {
      upload.take({ upload: upload.id, n_bytes });
      await vi.advanceTimersByTimeAsync(1);
    }
    expect(parts).toEqual([
      [0, 4],
      [4, 4],
      [8, 2],
    ]);
    expect(shares).toEqual([0.4, 0.8, 1]);
  });

  it("of a file that is too large is refused with the way out", () => {
    const data = new DataTransfer();
    data.items.add(new File(["x".repeat(1001)], "big.csv"));
    const drop = new Event("drop", { cancelable: true });
    Object.assign(drop, { dataTransfer: data });
    el.dispatchEvent(drop);
    expect(find(".aew-alert:not([hidden])").textContent).toBe(
      "big.csv is larger than 1 kB. Put it into /folder, and choose it with “From this folder”.",
    );
    expect(sent.some(({ type }) => type === "upload")).toBe(false);
  });
});

describe("when it was last used", () => {
  it.each([
    ["2026-03-10T11:59:40", "just now"],
    ["2026-03-10T11:55:00", "5 minutes ago"],
    ["2026-03-10T10:59:00", "1 hour ago"],
    ["2026-03-09T08:00:00", "yesterday"],
    ["2026-03-07T23:00:00", "3 days ago"],
    ["2026-01-12T12:00:00", "January 12"],
    ["2025-11-12T12:00:00", "November 12, 2025"],
    ["", ""],
  ])("%s", (time, text) => expect(lastUsed(time, new Date("2026-03-10T12:00:00"))).toBe(text));
});
