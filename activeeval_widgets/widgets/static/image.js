// Zoom, pan, brightness and the kind of edges of the image that is shown. Brightness and edges stay from image to
// image; the zoom begins anew with each.

const ZOOM_STEP = 1.5;
const GREATEST_ZOOM = 40;
const BRIGHTNESS_STEP = 1.25;
const PAN_STEP = 60; // px

// Whether anything shines through a decoded image: looked at in a small copy.
function isTransparent(image) {
  const canvas = element("canvas", { width: 48, height: 48 });
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.imageSmoothingEnabled = false; // single pixels will do, and are faster
  context.drawImage(image, 0, 0, 48, 48);
  return context.getImageData(0, 0, 48, 48).data.some((value, i) => i % 4 === 3 && value < 250);
}

class ImageTools {
  constructor() {
    this.brightness = 1;
    this.isSmooth = null; // as Python says for the image, until the person chooses
    this.stage = null;
    this.reset();
    this.noteText = element("span", { class: "aew-image-note" });
    this.fit = this.button("Show the whole image (0)", "", () => this.reset());
    this.smooth = this.button("Smooth or sharp edges of pixels", "Smooth", () => {
      this.isSmooth = this.smooth.getAttribute("aria-pressed") !== "true";
      this.paint();
    });
    this.bar = element("div", { class: "aew-image-bar", role: "group", "aria-label": "Image", hidden: "" },
      this.noteText,
      this.button("Zoom out (−)", "−", () => this.zoom(1 / ZOOM_STEP)),
      this.fit,
      this.button("Zoom in (+)", "+", () => this.zoom(ZOOM_STEP)),
      this.button("Darker", "Darker", () => this.brighten(1 / BRIGHTNESS_STEP)),
      this.button("Brighter", "Brighter", () => this.brighten(BRIGHTNESS_STEP)),
      this.smooth);
  }

  button(name, text, onclick) {
    return element("button", { type: "button", class: "aew-action", title: name, "aria-label": name, onclick }, text);
  }

  // A stage with one image on it. Its listeners act on the stage that is shown.
  makeStage(image, { mime, pixelated, note }) {
    const stage = element("div", { class: "aew-stage" }, image);
    stage.classList.toggle("aew-transparent", mime !== "image/jpeg" && isTransparent(image));
    stage.image = image;
    stage.isPixelated = pixelated;
    stage.note = note;
    stage.addEventListener("wheel", (event) => this.onWheel(event), { passive: false });
    stage.addEventListener("pointerdown", (event) => this.onPointerdown(event));
    stage.addEventListener("pointermove", (event) => this.onPointermove(event));
    stage.addEventListener("dblclick", (event) => {
      if (this.scale > 1) this.reset();
      else this.zoom(3, this.fromCenter(event));
    });
    return stage;
  }

  show(stage) {
    this.stage = stage;
    this.bar.classList.toggle("aew-idle", stage === null);
    if (stage === null) return;
    this.bar.hidden = false;
    this.noteText.textContent = stage.note;
    this.reset();
  }

  reset() {
    this.scale = 1;
    this.x = 0;
    this.y = 0;
    if (this.stage) this.paint();
  }

  // Zooms so that what is at the point (from the center of the stage) stays there.
  zoom(factor, [x, y] = [0, 0]) {
    const before = this.scale;
    this.scale = Math.min(GREATEST_ZOOM, Math.max(1, before * factor));
    this.x = x - (x - this.x) * (this.scale / before);
    this.y = y - (y - this.y) * (this.scale / before);
    this.paint();
  }

  pan(x, y) {
    this.x += x;
    this.y += y;
    this.paint();
  }

  brighten(factor) {
    const brightness = this.brightness * factor;
    this.brightness = Math.abs(brightness - 1) < 0.01 ? 1 : Math.min(8, Math.max(1 / 8, brightness));
    this.paint();
  }

  paint() {
    const { image, isPixelated } = this.stage;
    const { clientWidth: width, clientHeight: height } = this.stage;
    // The image can be moved until its edge is at the stage's.
    const fitted = Math.min(width / (image.naturalWidth || 1), height / (image.naturalHeight || 1));
    const roomX = Math.max(0, (this.scale * fitted * image.naturalWidth - width) / 2);
    const roomY = Math.max(0, (this.scale * fitted * image.naturalHeight - height) / 2);
    this.x = Math.min(roomX, Math.max(-roomX, this.x));
    this.y = Math.min(roomY, Math.max(-roomY, this.y));
    const isMoved = this.scale > 1;
    image.style.transform = isMoved ? `translate(${this.x}px, ${this.y}px) scale(${this.scale})` : "";
    image.style.filter = this.brightness === 1 ? "" : `brightness(${this.brightness})`;
    const isSmooth = this.isSmooth ?? !isPixelated;
    image.classList.toggle("aew-pixelated", !isSmooth);
    this.stage.classList.toggle("aew-zoomed", isMoved);
    this.smooth.setAttribute("aria-pressed", isSmooth);
    setText(this.fit, `${Math.round(100 * this.scale)} %`);
    this.fit.setAttribute("aria-label", `Zoom ${Math.round(100 * this.scale)} %: show the whole image`);
  }

  fromCenter({ clientX, clientY }) {
    const box = this.stage.getBoundingClientRect();
    return [clientX - box.left - box.width / 2, clientY - box.top - box.height / 2];
  }

  // The wheel scrolls the page as ever, unless Ctrl is held (so a pinch is reported) or the image is zoomed.
  onWheel(event) {
    if (!event.ctrlKey && !event.metaKey && this.scale === 1) return;
    event.preventDefault();
    this.zoom(Math.exp(-event.deltaY / (event.ctrlKey ? 100 : 400)), this.fromCenter(event));
  }

  onPointerdown(event) {
    if (event.button === 0 && this.scale > 1) this.stage.setPointerCapture(event.pointerId);
  }

  onPointermove(event) {
    if (this.stage.hasPointerCapture(event.pointerId)) this.pan(event.movementX, event.movementY);
  }

  // Whether the key was one of ours.
  onKey(event) {
    if (!this.stage) return false;
    const pans = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    if (event.key === "+" || event.key === "=") this.zoom(ZOOM_STEP);
    else if (event.key === "-") this.zoom(1 / ZOOM_STEP);
    else if (event.key === "0") this.reset();
    else if (event.key in pans && this.scale > 1) this.pan(...pans[event.key].map((way) => way * PAN_STEP));
    else return false;
    return true;
  }
}
