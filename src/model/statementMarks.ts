import type { StatementList, TextEdit } from '../sql/statementIndex.ts';

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
  #marks: Mark<T>[] = [];

  get marks(): readonly Mark<T>[] {
    return this.#marks.filter(({ hidden }) => !hidden);
  }

  get isEmpty(): boolean {
    return this.#marks.length === 0;
  }

  has(mark: Mark<T>): boolean {
    return this.#marks.includes(mark);
  }

  /** Takes the place of what stood at any part of it. */
  put(statements: StatementList, place: { readonly start: number; readonly end: number }, state: T): Mark<T> {
    const { start, end } = place;
    const mark = { start, end, state, whole: isStatement(statements, place), hidden: false };
    this.#marks = this.#marks.filter(other => other.end <= start || other.start >= end);
    this.#marks.push(mark);
    return mark;
  }

  remove(mark: Mark<T>): void {
    this.#marks = this.#marks.filter(other => other !== mark);
  }

  /** Follows edits that `statements` already knows of, one after another. */
  follow(edits: readonly TextEdit[], statements: StatementList): void {
    for (const edit of edits) this.#marks = this.#marks.filter(mark => move(mark, edit));
    for (const mark of this.#marks) mark.hidden = mark.whole && !isStatement(statements, mark);
  }
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

function isStatement(
  statements: StatementList,
  { start, end }: { readonly start: number; readonly end: number },
): boolean {
  const found = statements.at(statements.firstBehind(start));
  return found?.start === start && found.end === end;
}
