import type { InstanceKind } from "./instance_kind";

/** Images, with tools to zoom. */
export const picture: InstanceKind = {
  shows: (mime) => mime.startsWith("image/"),
  async build(info, bytes, { addUrl, tools }) {
    const image = new Image();
    image.src = addUrl(new Blob([bytes as BlobPart], { type: info.mime }));
    image.alt = info.description;
    image.draggable = false;
    await image.decode();
    return tools.makeStage(image, info);
  },
};
