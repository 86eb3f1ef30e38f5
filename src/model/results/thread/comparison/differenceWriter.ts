import type { CommonColumn, ComparisonPlan, DifferenceKind } from '../../comparison.ts';
import { ByteWriter } from '../formats/byteWriter.ts';
import { type ComparedCells, storageClasses } from './comparedCells.ts';

/** Writes the rows of a comparison as JSON, with the columns of its plan, and counts them. */
export function differenceWriter({ columns, changes, shown }: ComparisonPlan) {
  const counts = { added: 0, removed: 0, changed: 0, 'duplicate key (before)': 0, 'duplicate key (after)': 0 };
  /** The columns with changes, as the plan's `shown` numbers them. */
  const changedColumns = new Set<number>();
  const bytes = new ByteWriter();
  /** The JSON keys of the columns. */
  const keys = shown.map(({ name }, nth) => `${nth === 0 ? '{' : ','}${JSON.stringify(name)}:`);
  /** The number of the first column of the sources. */
  const first = changes.length > 0 ? 2 : 1;
  let rowCount = 0;
  const writeCell = (place: number, cells: ComparedCells | undefined, column: number | undefined): void => {
    if (!cells || column === undefined) return;
    bytes.text(keys[place]!);
    cells.write(bytes, column);
  };
  return {
    counts,
    changedColumns,
    get size(): number {
      return bytes.length;
    },
    take() {
      const taken = { bytes: bytes.take(), rowCount };
      rowCount = 0;
      return taken;
    },
    /** A changed row has the cells of both sources, and the columns in which they differ. */
    write(
      kind: DifferenceKind,
      before: ComparedCells | undefined,
      after: ComparedCells | undefined,
      changed: readonly CommonColumn[] = [],
    ): void {
      counts[kind]++;
      if (rowCount++ > 0) bytes.text(',');
      bytes.text(`${keys[0]!}${JSON.stringify(kind)}`);
      if (changed.length > 0) {
        const texts = changed.map(column => changeText(column, before!, after!));
        bytes.text(`${keys[1]!}${JSON.stringify(texts)}`);
      }
      for (const [nth, column] of columns.entries()) {
        const isAfter = after !== undefined && column.after !== undefined;
        writeCell(first + nth, isAfter ? after : before, isAfter ? column.after : column.before);
      }
      for (const column of changed) {
        const number = first + columns.indexOf(column);
        changedColumns.add(number);
        writeCell(changes.find(change => change.column === number)!.before, before, column.before);
      }
      bytes.text('}');
    },
  };
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
