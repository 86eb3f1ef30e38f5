import { Emitter } from '../../base/emitter.ts';
import type { CellConflict } from './conflicts.ts';
import type { ValueFault } from './valueChecks.ts';

export type CellFault =
  | { readonly kind: 'value'; readonly fault: ValueFault }
  | { readonly kind: 'check'; readonly constraint: string }
  /** Another row has the same values in these columns. */
  | { readonly kind: 'unique'; readonly columns: readonly string[] }
  /** No row of the other table has the value of the foreign key. */
  | { readonly kind: 'noParent'; readonly table: string }
  /** Rows of the other table refer to this one. */
  | { readonly kind: 'hasChildren'; readonly table: string }
  | { readonly kind: 'wrongType'; readonly stored: string; readonly declared: string }
  | ({ readonly kind: 'conflict' } & Pick<CellConflict, 'base' | 'theirs' | 'mine'>)
  | { readonly kind: 'missingRow' }
  | { readonly kind: 'unknownColumn'; readonly column: string }
  /** A text that was typed, but not entered before its field was gone, for example with its window. */
  | { readonly kind: 'notEntered' }
  /** The table has another key than the edits of the row. */
  | { readonly kind: 'otherKey' }
  /** The database has left the row as it was, and changed others. */
  | { readonly kind: 'ignored' }
  /** The message of the service, if nothing else is known. */
  | { readonly kind: 'message'; readonly message: string };

export interface CellProblem {
  readonly rowId: string;
  /** Undefined for a problem of the whole row. */
  readonly column: string | undefined;
  readonly fault: CellFault;
  /** Whether it is one of several cells that may have caused it. */
  readonly isGuess?: boolean;
  /** Whether the cell shows a typed text that is not its value. */
  readonly isText?: true;
  /** Other rows without which the problem would not be there. */
  readonly otherRows?: readonly string[];
}

/** The most problems that are marked. Nobody visits more of them one by one. */
export const maxProblems = 1000;

/** The problems that the last save found in cells, and those of typed texts. */
export class CellProblems {
  #found: readonly CellProblem[] = [];
  #ofTexts: readonly CellProblem[] = [];
  all: readonly CellProblem[] = [];
  #byRow: ReadonlyMap<string, readonly CellProblem[]> = new Map();
  version = 0;
  readonly #changes = new Emitter<void>();

  readonly onChange = this.#changes.on;

  of(rowId: string): readonly CellProblem[] {
    return this.#byRow.get(rowId) ?? [];
  }

  replace(problems: readonly CellProblem[]): void {
    this.#set(problems, this.#ofTexts);
  }

  /** Replaces the problems of typed texts. They stay as long as the texts. */
  setTexts(problems: readonly CellProblem[]): void {
    if (problems.length + this.#ofTexts.length > 0) this.#set(this.#found, problems);
  }

  #set(found: readonly CellProblem[], ofTexts: readonly CellProblem[]): void {
    if (found.length + ofTexts.length === 0 && this.all.length === 0) return;
    this.#found = found;
    this.#ofTexts = ofTexts;
    // Mark all typed texts, even beyond the limit: they look like values, and block the save.
    this.all = [...ofTexts, ...found.slice(0, Math.max(0, maxProblems - ofTexts.length))];
    this.#byRow = Map.groupBy(this.all, ({ rowId }) => rowId);
    this.version++;
    this.#changes.fire();
  }

  /** Drops the problems of rows that were edited: only the next save shows whether they are solved. */
  dropRows(rowIds: readonly string[]): void {
    const edited = new Set(rowIds);
    this.replace(
      this.#found.filter(({ rowId, otherRows = [] }) => !edited.has(rowId) && !otherRows.some(row => edited.has(row))),
    );
  }
}
