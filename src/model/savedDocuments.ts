import type { Clock } from '../base/clock.ts';

export interface OpenDocument {
  readonly uri: { toString(): string };
  readonly isUntitled: boolean;
  getText(): string;
}

/** VS Code saves an untitled document by opening a file, saving it and closing the document, all within this time. */
const maxSaveMs = 10_000;

/** Finds out as which file an untitled document was saved. VS Code reports only events of the single documents. */
export class SavedDocuments<Document extends OpenDocument> {
  readonly #clock: Clock;
  readonly #openedAt = new WeakMap<Document, number>();
  /** The file that has the text of an untitled document, by the URI of the latter. */
  readonly #savedFiles = new Map<string, { readonly file: Document; readonly savedAt: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  noteOpened(document: Document): void {
    this.#openedAt.set(document, this.#clock.now());
  }

  /** Only a file that was opened just now can be the untitled document. Another one has the same text by chance. */
  noteSaved(file: Document, openDocuments: readonly Document[]): void {
    if (!this.#isRecent(this.#openedAt.get(file))) return;
    const untitled = openDocuments.find(document => document.isUntitled && document.getText() === file.getText());
    if (untitled) this.#savedFiles.set(untitled.uri.toString(), { file, savedAt: this.#clock.now() });
  }

  /** The file as which a closed document was saved; undefined if it was only closed. */
  takeSavedFile(document: Document): Document | undefined {
    const uri = document.uri.toString();
    const saved = this.#savedFiles.get(uri);
    this.#savedFiles.delete(uri);
    return this.#isRecent(saved?.savedAt) ? saved?.file : undefined;
  }

  #isRecent(time: number | undefined): boolean {
    return time !== undefined && this.#clock.now() - time <= maxSaveMs;
  }
}
