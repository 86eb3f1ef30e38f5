import type { CommonColumn, ComparisonPlan, DifferenceKind } from '../../comparison.ts';
import { ByteWriter } from '../formats/byteWriter.ts';
import { type ComparedCells, storageClasses } from './comparedCells.ts';

/** Writes the rows of a comparison as JSON, with the columns of its plan, and counts them. */
export class DifferenceWriter {
  readonly counts = { added: 0, removed: 0, changed: 0, 'duplicate key (before)': 0, 'duplicate key (after)': 0 };
  /** The columns with changes, as the plan's `shown` numbers them. */
  readonly changedColumns = new Set<number>();
  readonly #plan: ComparisonPlan;
  readonly #bytes = new ByteWriter();
  /** The JSON keys of the columns. */
  readonly #keys: readonly string[];
  /** The number of the first column of the sources. */
  readonly #first: number;
  #rowCount = 0;

  constructor(plan: ComparisonPlan) {
    this.#plan = plan;
    this.#keys = plan.shown.map(({ name }, nth) => `${nth === 0 ? '{' : ','}${JSON.stringify(name)}:`);
    this.#first = plan.changes.length > 0 ? 2 : 1;
  }

  get size(): number {
    return this.#bytes.length;
  }

  take(): { readonly bytes: Uint8Array<ArrayBuffer>; readonly rowCount: number } {
    const rowCount = this.#rowCount;
    this.#rowCount = 0;
    return { bytes: this.#bytes.take(), rowCount };
  }

  /** A changed row has the cells of both sources, and the columns in which they differ. */
  write(
    kind: DifferenceKind,
    before: ComparedCells | undefined,
    after: ComparedCells | undefined,
    changed: readonly CommonColumn[] = [],
  ): void {
    const { columns, changes } = this.#plan;
    this.counts[kind]++;
    if (this.#rowCount++ > 0) this.#bytes.text(',');
    this.#bytes.text(`${this.#keys[0]!}${JSON.stringify(kind)}`);
    if (changed.length > 0) {
      const texts = changed.map(column => changeText(column, before!, after!));
      this.#bytes.text(`${this.#keys[1]!}${JSON.stringify(texts)}`);
    }
    for (const [nth, column] of columns.entries()) {
      const isAfter = after !== undefined && column.after !== undefined;
      this.#write(this.#first + nth, isAfter ? after : before, isAfter ? column.after : column.before);
    }
    for (const column of changed) {
      const number = this.#first + columns.indexOf(column);
      this.changedColumns.add(number);
      this.#write(changes.find(change => change.column === number)!.before, before, column.before);
    }
    this.#bytes.text('}');
  }

  #write(place: number, cells: ComparedCells | undefined, column: number | undefined): void {
    if (!cells || column === undefined) return;
    this.#bytes.text(this.#keys[place]!);
    cells.write(this.#bytes, column);
  }
}

/** The name of a changed column, with the storage classes if nothing else shows the change. */
function changeText(
  { name, before: number, after: otherNumber }: CommonColumn,
  before: ComparedCells,
  after: ComparedCells,
): string | readonly string[] {
  const from = before.classOf(number);
  const to = after.classOf(otherNumber);
  const isSeen = from === to || from === 'n' || to === 'n' || before.text(number) !== after.text(otherNumber);
  return isSeen ? name : [name, storageClasses[from], storageClasses[to]];
}
