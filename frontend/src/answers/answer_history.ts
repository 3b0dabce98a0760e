import { makeDialog } from "../dom/dialog";
import type { HistoryContent } from "../from_python/messages";
import { AnswerList, type ListCallbacks } from "./answer_list";

/** The dialog with all answers, to go to one or change it. */
export class AnswerHistory {
  readonly dialog: HTMLDialogElement;
  private readonly list: AnswerList;

  constructor(callbacks: ListCallbacks) {
    this.list = new AnswerList({
      ...callbacks,
      choose: (row) => {
        this.dialog.close();
        callbacks.choose(row);
      },
    });
    this.dialog = makeDialog("history", "History", ...this.list.parts);
    this.dialog.addEventListener("keydown", (event) => this.list.press(event));
    this.dialog.addEventListener("close", () => {
      if (!this.dialog.open) this.list.close(); // otherwise it was opened again meanwhile
    });
  }

  /** `pair`: only labels where two models differ, these two or, null, the only two; all unless given. */
  open(pair?: number[] | null): void {
    this.dialog.showModal();
    this.list.focus();
    this.list.open(pair);
  }

  show(content: HistoryContent, thumbnails: DataView[]): void {
    this.list.show(content, thumbnails);
  }

  close(): void {
    this.list.close();
  }
}
