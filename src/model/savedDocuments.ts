export interface OpenDocument {
  readonly uri: { toString(): string };
  readonly isUntitled: boolean;
  getText(): string;
}

/** An untitled document is saved by opening a file, saving that and closing the other, in so many milliseconds at most. */
const soon = 10_000;

/** Notices which untitled document goes on as which file. An editor tells of neither, only of what happens to each. */
export class SavedDocuments<Document extends OpenDocument> {
  readonly #now: () => number;
  readonly #openedAt = new WeakMap<Document, number>();
  /** By the address of an untitled document, the file that has its text. */
  readonly #saved = new Map<string, { readonly file: Document; readonly at: number }>();

  constructor(now: () => number) {
    this.#now = now;
  }

  opened(document: Document): void {
    this.#openedAt.set(document, this.#now());
  }

  /** A file that was there before, and only happens to have the same text, is none of an untitled document's. */
  saved(file: Document, all: readonly Document[]): void {
    if (!this.#isSoonAfter(this.#openedAt.get(file))) return;
    const source = all.find(one => one.isUntitled && one.getText() === file.getText());
    if (source) this.#saved.set(source.uri.toString(), { file, at: this.#now() });
  }

  /** The file that a document goes on as; undefined when it is just closed. */
  closed(document: Document): Document | undefined {
    const name = document.uri.toString();
    const saved = this.#saved.get(name);
    this.#saved.delete(name);
    return this.#isSoonAfter(saved?.at) ? saved?.file : undefined;
  }

  #isSoonAfter(moment: number | undefined): boolean {
    return moment !== undefined && this.#now() - moment <= soon;
  }
}
