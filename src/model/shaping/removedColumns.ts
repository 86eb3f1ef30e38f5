import type { ColumnDesign, TableDesign } from '../../protocol/tableDesign.ts';
import { isSameName, keyOf } from '../../sql/text/names.ts';
import { CanonicalDesign } from './canonicalDesign.ts';
import { renameColumn } from './tableDesign.ts';

/** A column that probably has another name in the wanted design. */
export interface ProbableRename {
  readonly from: string;
  readonly to: string;
}

const has = ({ columns }: TableDesign, name: string): boolean =>
  columns.some(column => isSameName(column.name, name) && !column.generated);

/**
 * Columns that only one of the designs has, at the same place and with the same definition. Their values can stay under the
 * new name. Columns that could be paired in more than one way are left out.
 */
export function probableRenames(before: TableDesign, wanted: TableDesign): ProbableRename[] {
  const removed = runsBeside(before, wanted);
  const added = runsBeside(wanted, before);
  return [...removed].flatMap(([place, columns]) => {
    const others = added.get(place) ?? [];
    if (others.length !== columns.length) return [];
    const pairs = columns.map((column, index) => ({ column, other: others[index]! }));
    return pairs
      .filter(({ column, other }) => isSameColumn(before, column, wanted, other))
      .map(({ column, other }) => ({ from: column.name, to: other.name }));
  });
}

/** The columns that the other design does not have, by the column before them that both have. */
function runsBeside(design: TableDesign, other: TableDesign): Map<string, ColumnDesign[]> {
  const runs = new Map<string, ColumnDesign[]>();
  let place = '';
  for (const column of design.columns) {
    if (column.generated) continue;
    if (other.columns.some(({ name }) => isSameName(name, column.name))) place = keyOf(column.name);
    else runs.set(place, [...(runs.get(place) ?? []), column]);
  }
  return runs;
}

function isSameColumn(before: TableDesign, column: ColumnDesign, wanted: TableDesign, other: ColumnDesign): boolean {
  const renamed = renameColumn(before, column.id, other.name);
  const isSameDefinition =
    new CanonicalDesign(renamed).column(renamed.columns.find(({ id }) => id === column.id)!) ===
    new CanonicalDesign(wanted).column(other);
  return isSameDefinition && placeInKey(before, column) === placeInKey(wanted, other);
}

const placeInKey = ({ primaryKey }: TableDesign, { id }: ColumnDesign): number =>
  primaryKey?.columns.findIndex(({ column }) => column === id) ?? -1;

/** The columns whose values a change loses: dropped columns, and those that become generated. */
const lostColumns = (before: TableDesign, wanted: TableDesign): ColumnDesign[] =>
  before.columns.filter(({ name, generated }) => !generated && !has(wanted, name));

/** The wanted design together with the columns whose values would be lost. Columns of the same name have the same id. */
export function withLostColumns(before: TableDesign, wanted: TableDesign): TableDesign {
  const lost = lostColumns(before, wanted);
  if (lost.length === 0) return wanted;
  const columns = [...wanted.columns];
  let place = 0;
  for (const column of before.columns) {
    const index = columns.findIndex(({ id }) => id === column.id);
    if (lost.includes(column)) columns.splice(index < 0 ? place : index, index < 0 ? 0 : 1, column);
    const present = columns.indexOf(column);
    const stays = present < 0 ? index : present;
    if (stays >= 0) place = stays + 1;
  }
  return { ...wanted, columns };
}

/** The columns that would be lost, and in which every new row needs a value until they are dropped. */
export const neededLostColumns = (before: TableDesign, wanted: TableDesign): ColumnDesign[] =>
  lostColumns(before, wanted).filter(
    ({ notNull, defaultValue }) =>
      notNull !== undefined && (defaultValue === undefined || /^null$/i.test(defaultValue)),
  );
