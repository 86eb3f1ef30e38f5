import { distinctNames } from '../../../../base/distinctNames.ts';
import type { Column } from '../../../../wire/values.ts';
import type { ChangedColumn, DifferenceKind } from '../../comparison.ts';
import { ByteWriter } from '../formats/byteWriter.ts';
import { type ComparedCells, storageClasses } from './comparedCells.ts';
import type { ColumnPair } from './compareRows.ts';

/** A column of the sources. Only one source may have it. */
export type SourceColumn = Column & Partial<ColumnPair>;

/** Writes the rows of a comparison: the kind of difference, the changed columns, all columns, and the values before. */
export class DifferenceWriter {
  readonly columns: readonly Column[];
  readonly #bytes = new ByteWriter();
  readonly #own: readonly SourceColumn[];
  readonly #changed: readonly SourceColumn[];
  readonly #keys: readonly string[];
  readonly #first: number;
  #rowCount = 0;

  /** `changed` are those of the columns that have changes. */
  constructor(own: readonly SourceColumn[], changed: readonly SourceColumn[]) {
    this.#own = own;
    this.#changed = changed;
    const heads = changed.length > 0 ? ['change', 'changed columns'] : ['change'];
    this.#first = heads.length;
    // The columns of the sources keep their names.
    const names = distinctNames([
      ...own.map(({ name }) => name),
      ...heads,
      ...changed.map(({ name }) => `${name} (before)`),
    ]);
    const types = [...own, ...heads.map(() => ({ type: 'TEXT' })), ...changed].map(({ type }) => type);
    const columns = names.map((name, nth) => ({ name, type: types[nth]! }));
    const pastHeads = own.length + heads.length;
    this.columns = [
      ...columns.slice(own.length, pastHeads),
      ...columns.slice(0, own.length),
      ...columns.slice(pastHeads),
    ];
    this.#keys = this.columns.map(({ name }, nth) => `${nth === 0 ? '{' : ','}${JSON.stringify(name)}:`);
  }

  get size(): number {
    return this.#bytes.length;
  }

  changes(rowsOf: (column: SourceColumn) => number): ChangedColumn[] {
    return this.#changed.map((column, nth) => ({
      column: this.#first + this.#own.indexOf(column),
      before: this.#first + this.#own.length + nth,
      rows: rowsOf(column),
    }));
  }

  take(): { readonly bytes: Uint8Array<ArrayBuffer>; readonly rowCount: number } {
    const rowCount = this.#rowCount;
    this.#rowCount = 0;
    return { bytes: this.#bytes.take(), rowCount };
  }

  /** A changed row has the cells of both sources. */
  write(kind: DifferenceKind, before: ComparedCells | undefined, after: ComparedCells | undefined): void {
    const writer = this.#bytes;
    if (this.#rowCount++ > 0) writer.text(',');
    writer.text(`${this.#keys[0]!}${JSON.stringify(kind)}`);
    const changed = before && after ? this.#changed.filter(column => isChanged(column, before, after)) : [];
    if (before && after) {
      writer.text(`${this.#keys[1]!}${JSON.stringify(changed.map(column => changeOf(column, before, after)))}`);
    }
    for (const [nth, column] of this.#own.entries()) {
      const cells = after && column.after !== undefined ? after : before;
      const number = cells === after ? column.after : column.before;
      if (cells && number !== undefined) this.#write(this.#first + nth, cells, number);
    }
    const firstBefore = this.#first + this.#own.length;
    for (const column of changed) this.#write(firstBefore + this.#changed.indexOf(column), before!, column.before!);
    writer.text('}');
  }

  #write(place: number, cells: ComparedCells, column: number): void {
    this.#bytes.text(this.#keys[place]!);
    cells.write(this.#bytes, column);
  }
}

const isChanged = ({ before: one, after: other }: SourceColumn, before: ComparedCells, after: ComparedCells): boolean =>
  one !== undefined && other !== undefined && !before.equals(one, after, other);

/** The name of a column, with the storage classes if nothing else shows the difference. */
function changeOf(
  { name, before: one = 0, after: other = 0 }: SourceColumn,
  before: ComparedCells,
  after: ComparedCells,
): string | readonly string[] {
  const from = before.classOf(one);
  const to = after.classOf(other);
  const isSeen = from === to || from === 'n' || to === 'n' || before.text(one) !== after.text(other);
  return isSeen ? name : [name, storageClasses[from], storageClasses[to]];
}
