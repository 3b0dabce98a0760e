// Zoom, pan, brightness and interpolation of the shown image. Brightness and interpolation stay from image to image;
// the zoom is reset with each.

import { element, setText } from "../dom/element";
import type { InstanceInfo } from "../from_python/messages";

const ZOOM_STEP = 1.5;
const LARGEST_ZOOM = 40;
const BRIGHTNESS_STEP = 1.25;
const PAN_STEP = 60; // px
const DOUBLE_CLICK_ZOOM = 3;
// More would show nothing new in a small image: it is enlarged to SMALL_SIDE px, or MAX_ENLARGED times if more.
const SMALL_SIDE = 320;
const MAX_ENLARGED = 4;

type Point = [x: number, y: number];

interface Stage {
  node: HTMLElement;
  image: HTMLImageElement;
  isPixelated: boolean;
  note: string;
  enlarged: number; // the limit, before any zoom
}

/** The factor by which an image may be enlarged; a whole number if its pixels are to be visible. */
function mostEnlarged({ naturalWidth, naturalHeight }: HTMLImageElement, isPixelated: boolean): number {
  const most = Math.max(SMALL_SIDE / Math.max(naturalWidth, naturalHeight, 1), MAX_ENLARGED);
  return isPixelated ? Math.floor(most) : most;
}

/** Whether a decoded image has transparent parts: checked in a small copy. */
function isTransparent(image: HTMLImageElement): boolean {
  const canvas = element("canvas", { width: 48, height: 48 });
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (context === null) return false;
  context.imageSmoothingEnabled = false; // single pixels are enough, and faster
  context.drawImage(image, 0, 0, 48, 48);
  return context.getImageData(0, 0, 48, 48).data.some((value, i) => i % 4 === 3 && value < 250);
}

export class ImageTools {
  readonly bar: HTMLElement;
  private brightness = 1;
  private isSmooth: boolean | null = null; // as Python says for the image, until the person chooses
  private scale = 1;
  private x = 0;
  private y = 0;
  private stage: Stage | null = null;
  private readonly stages = new WeakMap<Element, Stage>();
  private readonly noteText = element("span", { class: "aew-image-note" });
  private readonly fit = button("Show the whole image (0)", "", () => this.reset());
  private readonly smooth = button("Smooth or sharp edges of pixels", "Smooth", () => {
    this.isSmooth = this.smooth.getAttribute("aria-pressed") !== "true";
    this.paint();
  });

  constructor() {
    this.bar = element(
      "div",
      { class: "aew-image-bar", role: "group", "aria-label": "Image", hidden: "" },
      this.noteText,
      button("Zoom out (−)", "−", () => this.zoom(1 / ZOOM_STEP)),
      this.fit,
      button("Zoom in (+)", "+", () => this.zoom(ZOOM_STEP)),
      button("Darker", "Darker", () => this.brighten(1 / BRIGHTNESS_STEP)),
      button("Brighter", "Brighter", () => this.brighten(BRIGHTNESS_STEP)),
      this.smooth,
    );
  }

  /** Whether an image is shown. */
  get isInUse(): boolean {
    return this.stage !== null;
  }

  /** A stage with one image on it. Its listeners act on the shown stage. */
  makeStage(image: HTMLImageElement, { mime, pixelated, note }: InstanceInfo): HTMLElement {
    const node = element(
      "div",
      {
        class: "aew-stage",
        onpointerdown: (event) => this.onPointerdown(event),
        onpointermove: (event) => this.onPointermove(event),
        ondblclick: (event) => this.onDoubleClick(event),
      },
      image,
    );
    node.classList.toggle("aew-transparent", mime !== "image/jpeg" && isTransparent(image));
    node.addEventListener("wheel", (event) => this.onWheel(event), { passive: false });
    image.classList.toggle("aew-pixelated", pixelated); // before it is shown, too: copies are on sheets
    const enlarged = mostEnlarged(image, pixelated);
    image.style.maxWidth = `${enlarged * image.naturalWidth}px`;
    image.style.maxHeight = `${enlarged * image.naturalHeight}px`;
    this.stages.set(node, { node, image, isPixelated: pixelated, note, enlarged });
    return node;
  }

  /** Uses what is shown, if it is a stage. */
  show(content: Element): void {
    this.stage = this.stages.get(content) ?? null;
    this.bar.classList.toggle("aew-idle", this.stage === null);
    if (this.stage === null) return;
    this.bar.hidden = false;
    this.noteText.textContent = this.stage.note;
    this.reset();
  }

  /** Returns whether the key was one of these tools'. */
  onKey(event: KeyboardEvent): boolean {
    if (this.stage === null) return false;
    const pans: Record<string, Point> = {
      ArrowLeft: [1, 0],
      ArrowRight: [-1, 0],
      ArrowUp: [0, 1],
      ArrowDown: [0, -1],
    };
    if (event.key === "+" || event.key === "=") this.zoom(ZOOM_STEP);
    else if (event.key === "-") this.zoom(1 / ZOOM_STEP);
    else if (event.key === "0") this.reset();
    else if (event.key in pans && this.scale > 1) {
      const [x, y] = pans[event.key];
      this.pan(x * PAN_STEP, y * PAN_STEP);
    } else return false;
    return true;
  }

  private reset(): void {
    this.scale = 1;
    this.x = 0;
    this.y = 0;
    this.paint();
  }

  /** Zooms so that the point (from the center of the stage) stays in place. */
  private zoom(factor: number, [x, y]: Point = [0, 0]): void {
    const before = this.scale;
    this.scale = Math.min(LARGEST_ZOOM, Math.max(1, before * factor));
    this.x = x - (x - this.x) * (this.scale / before);
    this.y = y - (y - this.y) * (this.scale / before);
    this.paint();
  }

  private pan(x: number, y: number): void {
    this.x += x;
    this.y += y;
    this.paint();
  }

  private brighten(factor: number): void {
    const brightness = this.brightness * factor;
    this.brightness = Math.abs(brightness - 1) < 0.01 ? 1 : Math.min(8, Math.max(1 / 8, brightness));
    this.paint();
  }

  private paint(): void {
    if (this.stage === null) return;
    const { node, image, isPixelated, enlarged } = this.stage;
    const { clientWidth: width, clientHeight: height } = node;
    // The image can be moved until its edge is at the stage's.
    const fitted = Math.min(width / (image.naturalWidth || 1), height / (image.naturalHeight || 1), enlarged);
    const roomX = Math.max(0, (this.scale * fitted * image.naturalWidth - width) / 2);
    const roomY = Math.max(0, (this.scale * fitted * image.naturalHeight - height) / 2);
    this.x = Math.min(roomX, Math.max(-roomX, this.x));
    this.y = Math.min(roomY, Math.max(-roomY, this.y));
    const isMoved = this.scale > 1;
    image.style.transform = isMoved ? `translate(${this.x}px, ${this.y}px) scale(${this.scale})` : "";
    image.style.filter = this.brightness === 1 ? "" : `brightness(${this.brightness})`;
    const isSmooth = this.isSmooth ?? !isPixelated;
    image.classList.toggle("aew-pixelated", !isSmooth);
    node.classList.toggle("aew-zoomed", isMoved);
    this.smooth.setAttribute("aria-pressed", String(isSmooth));
    const percent = `${Math.round(100 * this.scale)}%`;
    setText(this.fit, percent);
    this.fit.setAttribute("aria-label", `Zoom ${percent}: show the whole image`);
  }

  private fromCenter({ clientX, clientY }: MouseEvent): Point {
    const box = this.stage?.node.getBoundingClientRect() ?? new DOMRect();
    return [clientX - box.left - box.width / 2, clientY - box.top - box.height / 2];
  }

  // The wheel scrolls the page as usual, unless Ctrl is held (so a pinch is reported) or the image is zoomed.
  private onWheel(event: WheelEvent): void {
    if (!event.ctrlKey && !event.metaKey && this.scale === 1) return;
    event.preventDefault();
    this.zoom(Math.exp(-event.deltaY / (event.ctrlKey ? 100 : 400)), this.fromCenter(event));
  }

  private onDoubleClick(event: MouseEvent): void {
    if (this.scale > 1) this.reset();
    else this.zoom(DOUBLE_CLICK_ZOOM, this.fromCenter(event));
  }

  private onPointerdown(event: PointerEvent): void {
    if (event.button === 0 && this.scale > 1) this.stage?.node.setPointerCapture(event.pointerId);
  }

  private onPointermove(event: PointerEvent): void {
    if (this.stage?.node.hasPointerCapture(event.pointerId)) this.pan(event.movementX, event.movementY);
  }
}

function button(name: string, text: string, onclick: () => void): HTMLButtonElement {
  return element("button", { class: "aew-action", title: name, "aria-label": name, onclick }, text);
}
