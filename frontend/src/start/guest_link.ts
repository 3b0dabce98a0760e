// A link for a guest to copy: it opens one evaluation.

import { makeDialog } from "../dom/dialog";
import { element, setText } from "../dom/element";
import { copyText } from "../dom/files";
import type { GuestLink } from "../from_python/start_messages";

export class GuestLinkDialog {
  readonly dialog: HTMLDialogElement;
  private readonly about = element("p", { class: "aew-explained" });
  private readonly address = element("input", {
    type: "text",
    readonly: "",
    class: "aew-guest-address",
    "aria-label": "Link for a guest",
    onfocus: () => this.address.select(),
  });
  private readonly copied = element("span", { role: "status" });

  constructor() {
    const copy = element(
      "button",
      { class: "aew-button", "data-action": "copy_link", onclick: () => this.copy() },
      "Copy",
    );
    this.dialog = makeDialog(
      "guest",
      "Link for a guest",
      this.about,
      element("div", { class: "aew-guest-link" }, this.address, copy),
      this.copied,
    );
  }

  show(link: GuestLink): void {
    setText(
      this.about,
      `Whoever has this link can label “${link.session}”, and nothing else: no other evaluations, no exports. ` +
        "You can revoke it in the same menu." +
        (isThisMachine(location.hostname)
          ? ` Other machines can't reach ${location.hostname}: for guests elsewhere, start the page with ` +
            "--host 0.0.0.0 and open it by this machine's name."
          : ""),
    );
    setText(this.copied, "");
    this.address.value = guestAddress(location.href, link);
    this.dialog.showModal();
    this.address.focus();
  }

  private copy(): void {
    const select = () => this.address.select();
    copyText(this.address.value)
      .then(
        () => setText(this.copied, "Copied."),
        () => setText(this.copied, "Press Ctrl+C to copy it."),
      )
      .finally(select);
  }
}

function isThisMachine(host: string): boolean {
  return host === "localhost" || host === "[::1]" || host.startsWith("127.");
}

/** The link relative to the address of the start page, whatever follows its path. */
function guestAddress(page: string, { session, token }: GuestLink): string {
  const address = new URL(page);
  address.hash = "";
  address.search = "";
  address.searchParams.set("token", token);
  address.searchParams.set("session", session);
  return address.href;
}
