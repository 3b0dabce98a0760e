// The instances that are coming, fetched and decoded ahead, so that showing the next one needs no round trip.

const KEPT = 64;

class Instances {
  constructor(onReady) {
    this.elements = new Map(); // index -> element, once it can be painted at once
    this.urls = new Map();
    this.wanted = new Set();
    this.onReady = onReady;
  }

  // Which of the coming instances must still be asked for.
  missing(queue) {
    const indices = queue.map((drawn) => drawn.index);
    return indices.filter((index) => !this.elements.has(index) && !this.wanted.has(index));
  }

  async add({ index, mime, description, pixelated }, bytes) {
    const url = URL.createObjectURL(new Blob([bytes], { type: mime }));
    const image = new Image();
    image.src = url;
    image.alt = description;
    image.classList.toggle("aew-pixelated", pixelated);
    let element = image;
    try {
      await image.decode();
    } catch {
      element = document.createElement("p");
      element.className = "aew-broken";
      element.textContent = "This image can't be shown. You can exclude it.";
    }
    this.elements.set(index, element);
    this.urls.set(index, url);
    this.wanted.delete(index);
    this.forgetOldest();
    this.onReady();
  }

  forgetOldest() {
    for (const index of this.elements.keys()) {
      if (this.elements.size <= KEPT) return;
      this.elements.delete(index);
      URL.revokeObjectURL(this.urls.get(index));
      this.urls.delete(index);
    }
  }

  close() {
    for (const url of this.urls.values()) URL.revokeObjectURL(url);
  }
}
