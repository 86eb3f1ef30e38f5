import * as vscode from 'vscode';
import { misuse } from '../../base/errors.ts';
import { BrowseRun } from '../../model/browsing/browseRun.ts';
import { groupFilters } from '../../model/grouping/groupFilters.ts';
import { groupColumns, groupingSql } from '../../model/grouping/groupingSql.ts';
import { SpoolQueries } from '../../model/results/queries/spoolQueries.ts';
import type { Run } from '../../model/results/run.ts';
import { StatementRun } from '../../model/results/statementRun.ts';
import { blobFilterText } from '../../model/results/thread/formats/literals.ts';
import {
  type GroupQuery,
  type FigureKind,
  type GroupFigure,
  type GroupKey,
  type Period,
  periods,
} from '../../protocol/groups.ts';
import { textOf } from '../../protocol/shownValues.ts';
import { isSourceByFirstWord } from '../../sql/effect/effectByFirstWord.ts';
import { effectOf, isRead } from '../../sql/effect/statementEffect.ts';
import { isBlobType, type Column, isNumberType } from '../../wire/values.ts';
import type { WindowParts } from '../composition.ts';
import { showInformation, withoutIcons } from '../notifications.ts';
import type { GroupArgument, Result, ResultSubject } from '../results/result.ts';

type GroupParts = Pick<WindowParts, 'results' | 'running'>;

/** As long as the text of a filter may be. */
const maxKeyLength = 10_000;

/**
 * Groups the rows of a result, as they are shown, by columns that the user chooses. The groups are a result of their own. The
 * service groups the rows of a browsed table.
 */
export async function groupBy(parts: GroupParts, argument: unknown): Promise<void> {
  const { results } = await parts.results.panel();
  const { result = results.current, column } = (argument ?? {}) as Partial<GroupArgument>;
  if (!result) {
    void showInformation(vscode.l10n.t('No result is open in the panel. Run a statement, then try again.'));
    return;
  }
  const { run, subject } = result;
  const rows = run.queries;
  const isBrowsed = run instanceof BrowseRun;
  const hasRows = isBrowsed || (rows instanceof SpoolQueries && !subject.log);
  if (run.columns.length === 0 || !hasRows) {
    void showInformation(vscode.l10n.t('This result has no rows that can be grouped.'));
    return;
  }
  const query = await promptForGroups(result, column);
  if (!query) return;
  const { columns } = run;
  const { running } = parts;
  if (isBrowsed) {
    const { sql, params } = groupingSql({ source: run.statement, columns }, query);
    await (await running()).runAgain(subject.profile.id, sql, params);
  } else if (rows instanceof SpoolQueries) await showGroups(parts, result, rows, query);
}

async function showGroups(
  { results, running }: GroupParts,
  { run, subject }: Result,
  rows: SpoolQueries,
  query: GroupQuery,
): Promise<void> {
  const { columns } = run;
  const { arrangement } = rows;
  const shown = groupColumns(columns, query);
  const names = shown.map(({ name }) => name);
  const title = names.join(', ');
  const source = { sql: subject.statement, params: subject.params ?? [] };
  const grouping = isSource(subject) && groupingSql({ source, columns, arrangement }, query);
  const groups = new StatementRun({
    ...(await results.runParts()),
    send: async ({ signal }) => ({ columns: shown, rawBatches: () => rows.groups({ query, names }, { signal }) }),
  });
  await results.show(groups, {
    profile: subject.profile,
    title,
    link: { column: 0, leadsTo: 'groupedRows' },
    ...(grouping
      ? {
          statement: grouping.sql,
          params: grouping.params,
          rerun: async from => (await running()).rerunResult(from, undefined),
        }
      : { statement: title }),
    follow: async row => {
      const open = (await results.panel()).results;
      const isOpen = open.all.some(other => other.run === run);
      if (!isOpen) throw misuse('result_closed', vscode.l10n.t('The result with the rows of this group is closed.'));
      const filters = groupFilters(query.keys, await keyTexts(groups, query, row));
      if (!filters) throw misuse('no_filter', vscode.l10n.t('The rows without a date cannot be shown alone.'));
      const grouped = new Set(filters.map(filter => filter.column));
      const others = arrangement.filters.filter(filter => !grouped.has(filter.column));
      await rows.arrange({ ...arrangement, filters: [...others, ...filters] });
      await open.focusOn(run);
    },
  });
}

/** Whether the rows are those of one statement that another can select from. */
function isSource({ statement, projects, comparison, search }: ResultSubject): boolean {
  if (projects || comparison || search) return false;
  return isSourceByFirstWord(statement) && isRead(effectOf(statement));
}

/** The values of the keys of a group, as filters spell them. */
function keyTexts({ queries, columns }: Run, { keys }: GroupQuery, row: number): Promise<(string | null)[]> {
  return Promise.all(
    keys.map(async (_, key) => {
      const part = await queries.cell(row, key, maxKeyLength);
      if (part.kind === 'null') return null;
      if (part.length !== undefined) throw misuse('no_filter', vscode.l10n.t('This value is too long for a filter.'));
      const text = textOf(part);
      return part.kind === 'text' && isBlobType(columns[key]?.type ?? '') ? blobFilterText(text) : text;
    }),
  );
}

/** The rows that show which columns have dates and numbers. */
const sampleRows = 50;

interface GroupItem<T> extends vscode.QuickPickItem {
  readonly term: T;
}

/** The kind of the first values of a column. */
type ColumnKind = 'date' | 'number' | 'other';

/** Asks for the columns to group by, and for the figures of each group. Undefined when the user cancels. */
async function promptForGroups({ run }: Result, column: number | undefined): Promise<GroupQuery | undefined> {
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
