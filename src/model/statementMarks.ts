import { partitionPoint } from '../base/partitionPoint.ts';
import type { StatementList, TextEdit } from '../sql/text/statementIndex.ts';
import type { TextRange } from '../sql/text/textRange.ts';

export interface Mark<T> {
  start: number;
  end: number;
  state: T;
  /** False for a part of a statement that the user selected and ran. */
  readonly isWholeStatement: boolean;
  /** True while the surrounding text makes the statement part of something else, such as a comment that is being typed. */
  isHidden: boolean;
}

/** Marks of statements. They move with edits around them, and an edit within a statement removes its mark. */
export class MarkList<T> {
  /** Sorted by position. Marks never overlap. */
  #marks: Mark<T>[] = [];

  get marks(): readonly Mark<T>[] {
    return this.#marks.filter(({ isHidden }) => !isHidden);
  }

  inRange({ start, end }: TextRange): readonly Mark<T>[] {
    return this.#marks.slice(this.#firstEndingAfter(start), this.#firstStartingAt(end)).filter(mark => !mark.isHidden);
  }

  get isEmpty(): boolean {
    return this.#marks.length === 0;
  }

  has(mark: Mark<T>): boolean {
    return this.#marks[this.#firstEndingAfter(mark.start)] === mark;
  }

  put(statements: StatementList, range: TextRange, state: T): Mark<T> {
    const { start, end } = range;
    const mark: Mark<T> = {
      start,
      end,
      state,
      isWholeStatement: isStatement(statements, range),
      isHidden: false,
    };
    const first = this.#firstEndingAfter(start);
    this.#marks.splice(first, this.#firstStartingAt(end) - first, mark);
    return mark;
  }

  remove(mark: Mark<T>): void {
    if (this.has(mark)) this.#marks.splice(this.#firstEndingAfter(mark.start), 1);
  }

  /** Moves the marks by successive edits. `statements` must already include the edits. */
  applyEdits(edits: readonly TextEdit[], statements: StatementList): void {
    for (const edit of edits) this.#marks = this.#marks.filter(mark => moveUnlessChanged(mark, edit));
    for (const mark of this.#marks) mark.isHidden = mark.isWholeStatement && !isStatement(statements, mark);
  }

  #firstEndingAfter(offset: number): number {
    return partitionPoint(this.#marks, ({ end }) => end > offset);
  }

  #firstStartingAt(offset: number): number {
    return partitionPoint(this.#marks, ({ start }) => start >= offset);
  }
}

/** Moves the mark by an edit. Returns false if the edit changes the marked text. */
function moveUnlessChanged(mark: { start: number; end: number }, { start, end, text }: TextEdit): boolean {
  if (start >= mark.end) return true;
  if (end > mark.start) return false;
  const delta = text.length - (end - start);
  mark.start += delta;
  mark.end += delta;
  return true;
}

function isStatement(statements: StatementList, { start, end }: TextRange): boolean {
  const found = statements.at(statements.firstEndingAfter(start));
  return found?.start === start && found.end === end;
}
