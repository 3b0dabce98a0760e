import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { PeopleContent } from "../src/from_python/messages";
import { NameDialog } from "../src/page/name_dialog";
import { PeoplePanel } from "../src/panels/people";

beforeEach(() => localStorage.clear());
afterEach(() => document.body.replaceChildren());

describe("the name", () => {
  const make = () => {
    const give = vi.fn();
    const name = new NameDialog(give);
    document.body.append(name.dialog);
    return { name, give };
  };
  const write = (name: NameDialog, text: string) => {
    const field = name.dialog.querySelector("input");
    if (field) field.value = text;
    name.dialog.querySelector("form")?.dispatchEvent(new Event("submit", { cancelable: true }));
  };

  it("is asked for, and remembered", () => {
    const { name, give } = make();
    name.begin();
    expect(name.dialog.open).toBe(true);
    write(name, "  Ada ");
    expect(give).toHaveBeenCalledWith("Ada");
    expect(name.dialog.open).toBe(false);
    const again = make();
    again.name.begin();
    expect(again.give).toHaveBeenCalledWith("Ada");
    expect(again.name.dialog.open).toBe(false);
  });

  it("is not blank, and not to be dismissed until there is one", () => {
    const { name, give } = make();
    name.begin();
    write(name, "   ");
    expect(give).not.toHaveBeenCalled();
    const cancel = () => {
      const event = new Event("cancel", { cancelable: true });
      name.dialog.dispatchEvent(event);
      return event.defaultPrevented;
    };
    expect(cancel()).toBe(true);
    write(name, "Bob");
    name.open();
    expect(name.dialog.querySelector("input")?.value).toBe("Bob");
    expect(cancel()).toBe(false);
  });

  it("that a browser remembers as something else is asked for anew", () => {
    localStorage.setItem("aew-who", "[3]");
    const { name, give } = make();
    name.begin();
    expect(name.dialog.open).toBe(true);
    expect(give).not.toHaveBeenCalled();
  });
});

describe("who labels", () => {
  const use = { adjudicate: vi.fn(), goTo: vi.fn(), rename: vi.fn() };
  const content: PeopleContent = {
    who: "Ada",
    can_rename: true,
    people: [
      { who: "Ada", text: "3 labels", is_here: true, is_you: true },
      { who: "<b>Bob</b>", text: "1 label", is_here: false, is_you: false },
    ],
    n_open: 1,
    disagreements: [
      {
        index: 7,
        id: "m7",
        answers: [
          { who: "Ada", text: "ham", value: 0 },
          { who: "<b>Bob</b>", text: "can't be labeled" },
        ],
        decided: null,
      },
    ],
  };

  it("is told, as text", () => {
    const panel = new PeoplePanel(use);
    expect(panel.node.hidden).toBe(true);
    panel.show(content);
    expect(panel.node.hidden).toBe(false);
    expect(panel.node.querySelector("b")).toBeNull();
    const rows = [...panel.node.querySelectorAll(".aew-persons li")].map((row) => row.textContent);
    expect(rows).toEqual(["Ada (you): 3 labels", "<b>Bob</b>: 1 label (away)"]);
    expect(panel.node.querySelector("h3")?.textContent).toBe("1 disagreement to decide");
  });

  it("lets one decide, and look", () => {
    const panel = new PeoplePanel(use);
    panel.show(content);
    const buttons = [...panel.node.querySelectorAll<HTMLButtonElement>("[data-index] button")];
    expect(buttons.map((button) => button.textContent)).toEqual(["m7", "Ada: ham"]);
    buttons[0].click();
    expect(use.goTo).toHaveBeenCalledWith(7);
    buttons[1].click();
    expect(use.adjudicate).toHaveBeenCalledWith(7, 0, "m7: ham");
  });

  it("leaves what has the focus where nothing has changed", () => {
    const panel = new PeoplePanel(use);
    document.body.append(panel.node);
    panel.show(content);
    panel.node.querySelector<HTMLButtonElement>("[data-adjudicate]")?.focus();
    const focused = document.activeElement;
    panel.show(structuredClone(content));
    expect(document.activeElement).toBe(focused);
    panel.show({
      ...content,
      n_open: 0,
      disagreements: [{ ...content.disagreements[0], decided: "ham, decided by Ada" }],
    });
    expect(panel.node.querySelector(".aew-decided")?.textContent).toContain("ham, decided by Ada");
    expect(panel.node.querySelector("h3")?.textContent).toBe("All disagreements are decided");
  });
});
