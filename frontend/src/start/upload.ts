// A file on its way to Python: part by part, each once the previous one has arrived.

interface Callbacks {
  send: (part: { upload: string; name: string; size: number; offset: number }, bytes: ArrayBuffer) => void;
  onProgress: (share: number) => void;
  onError: (text: string) => void;
}

export class Upload {
  readonly id = Math.random().toString(36).slice(2);
  private isEnded = false;

  constructor(
    readonly file: File,
    private readonly partSize: number,
    private readonly callbacks: Callbacks,
  ) {}

  /** Sends the part that begins at an offset. An empty file has one part, too. */
  async sendFrom(offset: number): Promise<void> {
    const { file, id, callbacks } = this;
    let bytes: ArrayBuffer;
    try {
      bytes = await file.slice(offset, offset + this.partSize).arrayBuffer();
    } catch {
      // A folder, or a file that was removed meanwhile.
      if (!this.isEnded) callbacks.onError(`${file.name} can't be read. If it is a folder, drop the file in it.`);
      this.isEnded = true;
      return;
    }
    if (this.isEnded) return;
    if (offset + this.partSize >= file.size) callbacks.onProgress(1); // the last one: it is read next
    callbacks.send({ upload: id, name: file.name, size: file.size, offset }, bytes);
  }

  /** What has arrived. */
  take({ upload, n_bytes }: { upload: string; n_bytes: number }): void {
    if (upload !== this.id || this.isEnded) return;
    if (n_bytes >= this.file.size) return;
    this.callbacks.onProgress(n_bytes / this.file.size);
    void this.sendFrom(n_bytes);
  }

  end(): void {
    this.isEnded = true;
  }
}
