import type { FindStep, Found } from '../../protocol/rowQueries.ts';
import { type Column, type Row, tagValue, textOf } from '../../wire/values.ts';

export interface LoadedRows {
  readonly firstRow: number;
  readonly rows: readonly Row[];
}

/** Looks through the rows that are there, which ascend, and goes on at the other end once it is through. */
export function findInRows(loaded: readonly LoadedRows[], columns: readonly Column[], step: FindStep): Found {
  const places = matches(loaded, columns, step);
  if (places.length === 0) return { count: 0 };
  const shownAt = step.columns.indexOf(step.column);
  const isBefore = ({ row, shown }: Match): boolean => row < step.row || (row === step.row && shown < shownAt);
  const isHere = ({ row, shown }: Match): boolean => row === step.row && shown === shownAt;
  const before = places.findLastIndex(place => isBefore(place) || (step.including && isHere(place)));
  const after = places.findIndex(place => !isBefore(place) && (step.including || !isHere(place)));
  const index = step.backwards ? (before === -1 ? places.length - 1 : before) : Math.max(0, after);
  const { row, shown } = places[index]!;
  return { count: places.length, place: { index, row, column: step.columns[shown]! } };
}

interface Match {
  readonly row: number;
  /** Which of the columns that are shown. */
  readonly shown: number;
}

function matches(loaded: readonly LoadedRows[], columns: readonly Column[], step: FindStep): Match[] {
  const fold = (text: string): string => (step.matchCase ? text : text.toLowerCase());
  const wanted = fold(step.text);
  const names = step.columns.map(column => columns[column]?.name ?? '');
  const found: Match[] = [];
  for (const { firstRow, rows } of loaded) {
    for (const [at, row] of rows.entries()) {
      for (const [shown, name] of names.entries()) {
        const value = tagValue(valueIn(row, name));
        if (value.kind !== 'null' && fold(textOf(value)).includes(wanted)) found.push({ row: firstRow + at, shown });
      }
    }
  }
  return found;
}

export const valueIn = (row: Row, name: string): Row[string] | undefined =>
  Object.hasOwn(row, name) ? row[name] : undefined;
