import * as vscode from 'vscode';
import {
  type FigureKind,
  type GroupFigure,
  type GroupKey,
  type GroupQuery,
  type Period,
  periods,
} from '../../protocol/groups.ts';
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
    const byPeriod = periods.map(period => ({ label, description: periodTexts[period](), term: { column, period } }));
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
  const rows: GroupItem<GroupFigure> = { label: figureTexts.rows(''), picked: true, term: { kind: 'rows' } };
  const others = columns.flatMap(({ name, type }, column) => {
    if (grouped.has(column)) return [];
    const numbers = kinds[column] === 'number' ? (['sum', 'average'] as const) : [];
    const ends = isBlobType(type) ? [] : (['min', 'max'] as const);
    const kindsOfFigures: FigureKind[] = [...numbers, ...ends, 'count', 'distinct'];
    return kindsOfFigures.map(kind => ({ label: figureTexts[kind](withoutIcons(name)), term: { kind, column } }));
  });
  return [rows, ...others];
}

const periodTexts: Readonly<Record<Period, () => string>> = {
  year: () => vscode.l10n.t('by year'),
  month: () => vscode.l10n.t('by month'),
  week: () => vscode.l10n.t('by week'),
  day: () => vscode.l10n.t('by day'),
};

const figureTexts: Readonly<Record<FigureKind, (name: string) => string>> = {
  rows: () => vscode.l10n.t('Number of Rows'),
  count: name => vscode.l10n.t('Values in {0}', name),
  distinct: name => vscode.l10n.t('Different Values in {0}', name),
  sum: name => vscode.l10n.t('Sum of {0}', name),
  average: name => vscode.l10n.t('Average of {0}', name),
  min: name => vscode.l10n.t('Minimum of {0}', name),
  max: name => vscode.l10n.t('Maximum of {0}', name),
};
