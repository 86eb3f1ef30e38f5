import { isSameName, keyOf } from '../text/names.ts';
import type { PlanPlace } from './planPlaces.ts';
import { type PlanLine, type PlanRead, planReadOf } from './planRead.ts';

/** The sizes of tables and indexes, by the {@link keyOf} their names. */
export interface PlanStatistics {
  readonly rows: ReadonlyMap<string, number>;
  /** The average number of rows with the same first column of an index, the same first two columns, and so on. */
  readonly equalRows: ReadonlyMap<string, readonly number[]>;
}

export interface PlanCost {
  /** The table that the line reads, with its alias. Undefined for another line. */
  readonly table: string | undefined;
  /** Only for comparing the lines of one plan. 0 for a line that only groups others. */
  readonly cost: number;
  /** The number of rows in the table of the line. Undefined if it is not known. */
  readonly tableRows: number | undefined;
  /** The table for each of whose rows the line is done once. */
  readonly outer: string | undefined;
}

/** Lines that have the same parent: loops, each within the one before. */
interface Loops {
  rows: number;
  readonly times: number;
  outer: string | undefined;
  first: { readonly rows: number; readonly name: string } | undefined;
}

/* What SQLite assumes of a table or an index without statistics. */
const assumedRows = 1_048_576;
const assumedEqualRows = 10;
const assumedRangeShare = 0.25;

/** The cost of comparing two keys, as a part of the cost of reading a row. */
const comparisonCost = 0.25;

/** Estimates what each line of a plan costs. A line without a place that follows another is of a foreign key, if `isChange`. */
export function planCosts(
  lines: readonly PlanLine[],
  places: readonly (PlanPlace | undefined)[],
  statistics: PlanStatistics,
  isChange: boolean,
): PlanCost[] {
  const groups: Loops[] = [{ rows: 1, times: 1, outer: undefined, first: undefined }];
  const madeTables = new Map<string, Loops>();
  return lines.map(({ detail, depth }, index) => {
    const group = groups[depth] ?? groups[0]!;
    const read = planReadOf(detail);
    const isRepeated = /^(?:MULTI-INDEX OR|INDEX \d|CORRELATED )/.test(detail);
    const times = isRepeated ? group.rows : group.times;
    const part: Loops = { rows: times, times, outer: isRepeated ? group.outer : undefined, first: undefined };
    groups[depth + 1] = part;
    const [, madeTable] = /^(?:CO-ROUTINE|MATERIALIZE) (.+)/s.exec(detail) ?? [];
    if (madeTable !== undefined) madeTables.set(keyOf(madeTable), part);
    if (!read) {
      const cost = detail.startsWith('USE TEMP B-TREE') ? group.rows * Math.log2(group.rows + 2) * comparisonCost : 0;
      return { table: undefined, cost, tableRows: undefined, outer: part.outer };
    }
    const place = places[index];
    const name = place ? place.table : read.name;
    const table = name === undefined || isSameName(name, read.name) ? read.name : `${name} (${read.name})`;
    const tableRows = name === undefined ? undefined : statistics.rows.get(keyOf(name));
    const size = tableRows ?? madeTables.get(keyOf(read.name))?.rows ?? assumedRows;
    const isOfForeignKey = isChange && !place && group.first !== undefined;
    const outer = isOfForeignKey ? group.first?.name : group.outer;
    const outerRows = isOfForeignKey ? (group.first?.rows ?? 1) : group.rows;
    const found = foundRows(read, size, statistics);
    group.rows = outerRows * Math.max(1, found);
    group.outer = table;
    group.first ??= { rows: group.rows, name: table };
    const making = read.way === 'automatic' ? size * Math.log2(size + 2) * comparisonCost : 0;
    const finding = read.isSearch ? Math.log2(size + 2) * comparisonCost : 0;
    return { table, cost: making + outerRows * (found + finding), tableRows, outer };
  });
}

/** The number of rows that one pass finds. */
function foundRows(read: PlanRead, size: number, { equalRows }: PlanStatistics): number {
  const { isSearch, way, index, equalTerms, isRange } = read;
  if (!isSearch) return size;
  // The smallest or largest value of a column without an index is found by reading all.
  if (equalTerms === 0) return isRange ? size * assumedRangeShare : way === 'table' ? size : 1;
  if (way === 'rowid') return 1;
  const averages = equalRows.get(keyOf(index ?? read.name)) ?? [];
  const found = averages[Math.min(equalTerms, averages.length) - 1] ?? Math.min(size, assumedEqualRows);
  return isRange ? found * assumedRangeShare : found;
}

/** The statistics of the rows of sqlite_stat1, and of counts of tables that have no such row. */
export function planStatistics(
  rows: readonly Readonly<Record<string, unknown>>[],
  counts: ReadonlyMap<string, number | bigint>,
): PlanStatistics {
  const tableRows = new Map(Array.from(counts, ([table, count]) => [keyOf(table), Number(count)]));
  const equalRows = new Map<string, readonly number[]>();
  for (const { tbl, idx, stat } of rows) {
    if (typeof tbl !== 'string' || typeof stat !== 'string') continue;
    const [size, ...averages] = stat.split(' ').map(Number).filter(Number.isFinite);
    if (size !== undefined) tableRows.set(keyOf(tbl), size);
    if (typeof idx === 'string') equalRows.set(keyOf(idx), averages);
  }
  return { rows: tableRows, equalRows };
}
