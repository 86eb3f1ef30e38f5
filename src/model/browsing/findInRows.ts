import type { FindStep, FindResult } from '../../protocol/rowQueries.ts';
import { tagValue, textOf } from '../../protocol/shownValues.ts';
import type { Column, Row } from '../../wire/values.ts';

interface LoadedRows {
  readonly firstRow: number;
  readonly rows: readonly Row[];
}

/** Finds the next match among loaded rows, which must be in ascending order. Wraps around at either end. */
export function findInRows(loaded: readonly LoadedRows[], columns: readonly Column[], step: FindStep): FindResult {
  const matches = findMatches(loaded, columns, step);
  if (matches.length === 0) return { count: 0 };
  const startColumn = step.columns.indexOf(step.column);
  const isBefore = ({ row, column }: Match): boolean => row < step.row || (row === step.row && column < startColumn);
  const isStart = ({ row, column }: Match): boolean => row === step.row && column === startColumn;
  const previous = matches.findLastIndex(match => isBefore(match) || (step.including && isStart(match)));
  const next = matches.findIndex(match => !isBefore(match) && (step.including || !isStart(match)));
  const index = step.backwards ? (previous === -1 ? matches.length - 1 : previous) : Math.max(0, next);
  const { row, column } = matches[index]!;
  return { count: matches.length, place: { index, row, column: step.columns[column]! } };
}

interface Match {
  readonly row: number;
  /** Index among the columns that are searched, in the order shown. */
  readonly column: number;
}

function findMatches(loaded: readonly LoadedRows[], columns: readonly Column[], step: FindStep): Match[] {
  const normalize = (text: string): string => (step.matchCase ? text : text.toLowerCase());
  const wanted = normalize(step.text);
  const names = step.columns.map(column => columns[column]?.name ?? '');
  const matches: Match[] = [];
  for (const { firstRow, rows } of loaded) {
    for (const [rowIndex, row] of rows.entries()) {
      for (const [column, name] of names.entries()) {
        const value = tagValue(valueIn(row, name));
        if (value.kind === 'null' || !normalize(textOf(value)).includes(wanted)) continue;
        matches.push({ row: firstRow + rowIndex, column });
      }
    }
  }
  return matches;
}

export const valueIn = (row: Row, name: string): Row[string] | undefined =>
  Object.hasOwn(row, name) ? row[name] : undefined;
