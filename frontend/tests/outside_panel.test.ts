import { expect, test, vi } from "vitest";
import { element } from "../src/dom/element";
import { importModule } from "../src/dom/python_module";
import { OutsidePanel } from "../src/panels/outside_panel";

vi.mock("../src/dom/python_module", () => ({ importModule: vi.fn() }));

const MODULE = {
  name: "times",
  title: "Times",
  kind: "module",
  source: "export default …",
  is_hidden_at_first: false,
} as const;
const settled = () => new Promise((resolve) => setTimeout(resolve));

function panelOf(build: unknown): OutsidePanel {
  vi.mocked(importModule).mockReturnValue(build instanceof Error ? Promise.reject(build) : Promise.resolve(build));
  return new OutsidePanel(MODULE, { element, goTo: () => {} });
}

test("content that comes before the module is shown once it is there", async () => {
  const shown: unknown[] = [];
  const panel = panelOf(() => ({ node: element("p", {}, "bars"), show: (content: unknown) => shown.push(content) }));
  panel.show({ n: 1 });
  panel.show({ n: 2 });
  expect(shown).toEqual([]);
  await settled();
  expect(shown).toEqual([{ n: 2 }]);
  panel.show({ n: 3 });
  expect(shown).toEqual([{ n: 2 }, { n: 3 }]);
  expect(panel.node.querySelector("p")?.textContent).toBe("bars");
  expect(panel.node.querySelector<HTMLElement>(".aew-warning")?.hidden).toBe(true);
});

test.each([
  ["no module", new Error("no module")],
  [
    "no room",
    () => {
      throw new Error("no room");
    },
  ],
  [
    "no bars",
    () => ({
      node: element("p"),
      show() {
        throw new Error("no bars");
      },
    }),
  ],
])("a panel that fails is told of: %s", async (reason, build) => {
  const panel = panelOf(build);
  panel.show({});
  await settled();
  const problem = panel.node.querySelector<HTMLElement>(".aew-warning");
  expect(problem?.hidden).toBe(false);
  expect(problem?.textContent).toBe(`“Times” can't be shown. The browser says: ${reason}`);
});

test("a panel that is taken away gives back what it has, and is not built any more", async () => {
  const close = vi.fn();
  const panel = panelOf(() => ({ node: element("p"), show() {}, close }));
  await settled();
  panel.close();
  expect(close).toHaveBeenCalledOnce();
  const build = vi.fn();
  panelOf(build).close();
  await settled();
  expect(build).not.toHaveBeenCalled();
});
