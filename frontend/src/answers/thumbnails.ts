import { element } from "../dom/element";
import type { Row } from "../from_python/messages";

type Pictured = Pick<Row, "thumbnail" | "mime" | "is_pixelated">;

/** Small pictures of instances, which the browser keeps until they are forgotten. */
export class Thumbnails {
  private urls: string[] = [];

  /** A row's picture, whose bytes are among those of its message; null if it has none. */
  of({ thumbnail, mime, is_pixelated }: Pictured, bytes: DataView[], alt: string): HTMLElement | null {
    if (thumbnail === undefined) return null;
    const src = URL.createObjectURL(new Blob([bytes[thumbnail] as BlobPart], { type: mime }));
    this.urls.push(src);
    return element("img", { src, alt, class: is_pixelated ? "aew-pixelated" : null });
  }

  forget(): void {
    for (const url of this.urls) URL.revokeObjectURL(url);
    this.urls = [];
  }
}
