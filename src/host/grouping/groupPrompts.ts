import * as vscode from 'vscode';
import { assertNever } from '../../base/assertNever.ts';
import { type FigureKind, type GroupFigure, type GroupKey, type GroupQuery, periods } from '../../protocol/groups.ts';
import { textOf } from '../../protocol/shownValues.ts';
import { type Column, isBlobType, isNumberType } from '../../wire/values.ts';
import { withoutIcons } from '../notifications.ts';
import type { Result } from '../results/result.ts';

/** The rows that show which columns have dates and numbers. */
const sampleRows = 50;

interface GroupItem<T> extends vscode.QuickPickItem {
  readonly term: T;
}

/** The kind of the first values of a column. */
type ColumnKind = 'date' | 'number' | 'other';

/** Asks for the columns to group by, and for the figures of each group. Undefined when the user cancels. */
export async function promptForGroups({ run }: Result, column: number | undefined): Promise<GroupQuery | undefined> {
  const sample = await run.rows(0, sampleRows);
  const kinds = run.columns.map(({ type }, nth): ColumnKind => {
    const texts = sample.flatMap(row => (row[nth] && row[nth].kind !== 'null' ? [textOf(row[nth])] : []));
    if (texts.length > 0 && texts.every(text => /^\d{4}-\d{2}-\d{2}/.test(text))) return 'date';
    const isNumber = texts.length > 0 && texts.every(text => text !== '' && !Number.isNaN(Number(text)));
    return isNumberType(type) || isNumber ? 'number' : 'other';
  });
  const title = vscode.l10n.t('Group By');
  const keys = await vscode.window.showQuickPick(keyItems(run.columns, kinds, column), {
    title,
    placeHolder: vscode.l10n.t('The columns whose values make a group'),
    canPickMany: true,
    ignoreFocusOut: true,
  });
  if (!keys) return undefined;
  const grouped = new Set(keys.map(({ term }) => term.column));
  const figures = await vscode.window.showQuickPick(figureItems(run.columns, kinds, grouped), {
    title,
    placeHolder: vscode.l10n.t('The figures of each group'),
    canPickMany: true,
    ignoreFocusOut: true,
  });
  if (!figures || keys.length + figures.length === 0) return undefined;
  return { keys: keys.map(({ term }) => term), figures: figures.map(({ term }) => term) };
}

/** The chosen column comes first. */
function keyItems(
  columns: readonly Column[],
  kinds: readonly ColumnKind[],
  chosen: number | undefined,
): GroupItem<GroupKey>[] {
  const items = columns.flatMap(({ name }, column): GroupItem<GroupKey>[] => {
    const label = withoutIcons(name);
    const byPeriod = periods.map(period => ({ label, description: periodText(period), term: { column, period } }));
    const picked = column === chosen && kinds[column] !== 'date';
    return [...(kinds[column] === 'date' ? byPeriod : []), { label, picked, term: { column } }];
  });
  return items.toSorted((one, other) => Number(other.term.column === chosen) - Number(one.term.column === chosen));
}

function figureItems(
  columns: readonly Column[],
  kinds: readonly ColumnKind[],
  grouped: ReadonlySet<number>,
): GroupItem<GroupFigure>[] {
  const rows: GroupItem<GroupFigure> = { label: figureText('rows', ''), picked: true, term: { kind: 'rows' } };
  const others = columns.flatMap(({ name, type }, column) => {
    if (grouped.has(column)) return [];
    const numbers = kinds[column] === 'number' ? (['sum', 'average'] as const) : [];
    const ends = isBlobType(type) ? [] : (['min', 'max'] as const);
    const kindsOfFigures: FigureKind[] = [...numbers, ...ends, 'count', 'distinct'];
    return kindsOfFigures.map(kind => ({ label: figureText(kind, withoutIcons(name)), term: { kind, column } }));
  });
  return [rows, ...others];
}

function periodText(period: (typeof periods)[number]): string {
  switch (period) {
    case 'year':
      return vscode.l10n.t('by year');
    case 'month':
      return vscode.l10n.t('by month');
    case 'week':
      return vscode.l10n.t('by week');
    case 'day':
      return vscode.l10n.t('by day');
    default:
      return assertNever(period);
  }
}

function figureText(kind: FigureKind, name: string): string {
  switch (kind) {
    case 'rows':
      return vscode.l10n.t('Number of Rows');
    case 'count':
      return vscode.l10n.t('Values in {0}', name);
    case 'distinct':
      return vscode.l10n.t('Different Values in {0}', name);
    case 'sum':
      return vscode.l10n.t('Sum of {0}', name);
    case 'average':
      return vscode.l10n.t('Average of {0}', name);
    case 'min':
      return vscode.l10n.t('Minimum of {0}', name);
    case 'max':
      return vscode.l10n.t('Maximum of {0}', name);
    default:
      return assertNever(kind);
  }
}
