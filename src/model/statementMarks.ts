import type { StatementList, TextEdit } from '../sql/text/statementIndex.ts';

export interface Place {
  readonly start: number;
  readonly end: number;
}

/** What stands at a statement of a document that is being edited. */
export interface Mark<T> {
  start: number;
  end: number;
  state: T;
  /** Whether it is a whole statement of the document, and no part of one that somebody selected. */
  readonly whole: boolean;
  /** Whether what stands around it makes it part of something else, as it may while somebody types. */
  hidden: boolean;
}

/** Marks of statements: they move with what is edited around them, and go when something is edited within. */
export class MarkList<T> {
  /** In their order. No two of them share a part of the text. */
  #marks: Mark<T>[] = [];

  get marks(): readonly Mark<T>[] {
    return this.#marks.filter(({ hidden }) => !hidden);
  }

  /** Those at any part of that. */
  within({ start, end }: Place): readonly Mark<T>[] {
    return this.#marks.slice(this.#firstBehind(start), this.#firstFrom(end)).filter(({ hidden }) => !hidden);
  }

  get isEmpty(): boolean {
    return this.#marks.length === 0;
  }

  has(mark: Mark<T>): boolean {
    return this.#marks[this.#firstBehind(mark.start)] === mark;
  }

  /** Takes the place of what stood at any part of it. */
  put(statements: StatementList, place: Place, state: T): Mark<T> {
    const { start, end } = place;
    const mark = { start, end, state, whole: isStatement(statements, place), hidden: false };
    const first = this.#firstBehind(start);
    this.#marks.splice(first, this.#firstFrom(end) - first, mark);
    return mark;
  }

  remove(mark: Mark<T>): void {
    if (this.has(mark)) this.#marks.splice(this.#firstBehind(mark.start), 1);
  }

  /** Follows edits that `statements` already knows of, one after another. */
  follow(edits: readonly TextEdit[], statements: StatementList): void {
    for (const edit of edits) this.#marks = this.#marks.filter(mark => move(mark, edit));
    for (const mark of this.#marks) mark.hidden = mark.whole && !isStatement(statements, mark);
  }

  /** The number of the first that ends behind an offset. */
  #firstBehind(offset: number): number {
    return firstWhere(this.#marks, ({ end }) => end > offset);
  }

  /** The number of the first that begins at an offset or behind it. */
  #firstFrom(offset: number): number {
    return firstWhere(this.#marks, ({ start }) => start >= offset);
  }
}

/** Where what is so begins, in a list where all that comes behind is so as well. */
function firstWhere<T>(list: readonly T[], is: (item: T) => boolean): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (is(list[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** False when the edit reaches into the statement. */
function move(mark: { start: number; end: number }, { start, end, text }: TextEdit): boolean {
  if (start >= mark.end) return true;
  if (end > mark.start) return false;
  const delta = text.length - (end - start);
  mark.start += delta;
  mark.end += delta;
  return true;
}

function isStatement(statements: StatementList, { start, end }: Place): boolean {
  const found = statements.at(statements.firstBehind(start));
  return found?.start === start && found.end === end;
}
