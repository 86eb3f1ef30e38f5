import { editedText, type TextEdit } from '../text/statementIndex.ts';
import type { TextRange } from '../text/textRange.ts';

/** A statement with patches. Each removes a fault, so that SQLite finds the next one. Ranges are those of the original. */
export class PatchedText {
  readonly original: string;
  /** Sorted. They do not overlap. */
  #patches: readonly TextEdit[] = [];
  #text: string;

  constructor(original: string) {
    this.original = original;
    this.#text = original;
  }

  get text(): string {
    return this.#text;
  }

  /** Replaces a range and all patches in it. Returns false if nothing changes, or if a patch reaches beyond the range. */
  patch({ start, end }: TextRange, text: string): boolean {
    const others = this.#patches.filter(patch => patch.end <= start || patch.start >= end);
    const replaced = this.#patches.filter(patch => !others.includes(patch));
    if (replaced.some(patch => patch.start < start || patch.end > end || patch.text === text)) return false;
    this.#patches = [...others, { start, end, text }].toSorted((a, b) => a.start - b.start);
    this.#text = editedText(this.original, this.#patches);
    return true;
  }

  isPatched({ start, end }: TextRange): boolean {
    return this.#patches.some(patch => patch.start < end && patch.end > start);
  }

  /** Converts an offset of {@link text} to one of the original. Undefined within a patch. */
  originalOffset(offset: number): number | undefined {
    let delta = 0;
    for (const { start, end, text } of this.#patches) {
      if (offset < start + delta) break;
      if (offset < start + delta + text.length) return undefined;
      delta += text.length - (end - start);
    }
    return offset - delta;
  }
}
