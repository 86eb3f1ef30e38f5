import * as vscode from 'vscode';
import { misuse } from '../../base/errors.ts';
import { formatMoment } from '../../base/timeOfDay.ts';
import { primaryKeyOf } from '../../model/catalog/primaryKey.ts';
import { comparedTableSql } from '../../model/results/comparison.ts';
import { type ComparedRun, compareRuns } from '../../model/results/comparisonRun.ts';
import { SpoolQueries } from '../../model/results/queries/spoolQueries.ts';
import { hasEnded, type Run } from '../../model/results/run.ts';
import { StatementRun } from '../../model/results/statementRun.ts';
import type { Profile } from '../../model/profiles.ts';
import type { Comparison, ComparisonSource } from '../../protocol/results.ts';
import type { ProjectArgument } from '../commands/projectArgument.ts';
import { promptForTable } from '../commands/tableCommands.ts';
import type { WindowParts } from '../composition.ts';
import { promptForProject } from '../connections/projectPrompts.ts';
import { showInformation, withoutIcons } from '../notifications.ts';
import { rowsText } from '../numbers.ts';
import { orRemedy } from '../remedies.ts';
import { runIdOf } from '../results/openResults.ts';
import type { ResultTab } from '../results/resultTab.ts';
import type { TableNode } from '../tree/treeNodes.ts';

type CompareParts = Pick<WindowParts, 'projects' | 'clients' | 'catalogs' | 'results'>;

interface TableChoice {
  readonly profile: Profile;
  readonly name: string;
}

type Choice = ResultTab | TableChoice;

interface ComparableRows extends ComparedRun {
  readonly source: ComparisonSource;
  /** The names of the columns that are known to identify a row. */
  readonly key: readonly string[];
  readonly columns: readonly string[];
}

/** Compares the rows of a result or a table, which the argument names or the user chooses, with those of another one. */
export async function compareWith(parts: CompareParts, argument: ProjectArgument): Promise<void> {
  const results = (await parts.results.panel()).results.all.filter(isComparable);
  const table = typeof argument === 'object' && isTableNode(argument) ? argument : undefined;
  const runId = runIdOf(argument);
  const named = table ?? results.find(({ id }) => id === runId);
  if (runId !== undefined && !named) {
    void showInformation(vscode.l10n.t('This result has no rows yet that can be compared. Wait until it has ended.'));
    return;
  }
  const first = named ?? (await chooseRows(parts, results, vscode.l10n.t('Compare Rows Of')));
  if (!first) return;
  const others = results.filter(result => result !== first);
  const second = await chooseRows(parts, others, vscode.l10n.t('Compare Rows With'), first);
  if (!second) return;
  const profile = [second, first].find(isTable)?.profile;
  const compare = (): Promise<void> => startComparison(parts, [first, second]);
  await (profile ? orRemedy(profile, compare) : compare());
}

async function startComparison(
  { catalogs, clients, results }: CompareParts,
  choices: readonly [Choice, Choice],
): Promise<void> {
  const runParts = await results.runParts();
  const rowsOf = async (choice: Choice): Promise<ComparableRows> => {
    if (!isTable(choice)) return rowsOfResult(choice);
    const { profile, name } = choice;
    const client = await clients.for(profile);
    const columns = await catalogs.for(profile).freshColumns(name);
    const { sql, letterColumn } = comparedTableSql(
      name,
      columns.map(column => column.name),
    );
    const run = new StatementRun({
      ...runParts,
      send: options => client.execSqlStream(profile.projectId, { sql }, { ...options, isReadOnly: true }),
    });
    return {
      run,
      isTable: true,
      letterColumn,
      source: { name: vscode.l10n.t('{0} of {1}', name, profile.name), at: undefined, isPart: false },
      key: primaryKeyOf(columns),
      columns: columns.map(column => column.name),
    };
  };
  const [one, other] = [await rowsOf(choices[0]), await rowsOf(choices[1])];
  // A result is older than a table, which is read now.
  const isOlder = (other.source.at ?? Infinity) < (one.source.at ?? Infinity);
  const sources = isOlder ? ([other, one] as const) : ([one, other] as const);
  const common = one.columns.filter(name => other.columns.includes(name));
  if (common.length === 0) {
    void showInformation(vscode.l10n.t('There is nothing to compare: no column has the same name in both.'));
    return;
  }
  const keys = sources.map(rows => rows.key);
  const knownKey = keys.find(names => names.length > 0 && names.every(name => common.includes(name)));
  const key = knownKey ?? (await chooseKey(common));
  if (!key) return;
  const { run, progress } = compareRuns({ ...runParts, sources, key });
  const [before, after] = sources.map(({ source: { name, at = Date.now(), isPart } }) => ({ name, at, isPart }));
  const title = `${before!.name} → ${after!.name}`;
  const { profile } = isTable(choices[0]) ? choices[0] : choices[0].subject;
  const comparison = (): Comparison => ({ before: before!, after: after!, key, ...progress() });
  await results.show(run, { profile, statement: title, title, comparison });
}

function rowsOfResult({ run, title, startedAt }: ResultTab): ComparableRows {
  if (!hasSpool(run)) throw misuse('no_rows', 'This result has no rows.');
  return {
    run,
    isTable: false,
    letterColumn: undefined,
    source: { name: title, at: startedAt ?? 0, isPart: run.state !== 'done' },
    key: run.columns.filter((_, column) => run.keyOf?.(column)?.isKey).map(({ name }) => name),
    columns: run.columns.map(({ name }) => name),
  };
}

const isTable = (choice: Choice): choice is TableChoice => !('run' in choice);

const isTableNode = (argument: object): argument is TableNode =>
  'kind' in argument && (argument.kind === 'table' || argument.kind === 'view');

const hasSpool = (run: Run): run is ComparedRun['run'] => run.queries instanceof SpoolQueries;

const isComparable = ({ run, subject }: ResultTab): boolean =>
  hasSpool(run) &&
  run.columns.length > 0 &&
  (hasEnded(run) || run.state === 'paused') &&
  !subject.comparison &&
  !subject.log;

interface ChoiceItem extends vscode.QuickPickItem {
  /** Undefined for the item that asks for a table. */
  readonly choice?: Choice;
}

/** Asks for a result, for the table of the same name in another project, or for any table. */
async function chooseRows(
  { projects, catalogs }: CompareParts,
  results: readonly ResultTab[],
  title: string,
  first?: Choice,
): Promise<Choice | undefined> {
  const { profiles } = await projects.list();
  const resultItems = results.map((result): ChoiceItem => {
    const { run, startedAt, subject } = result;
    const time = startedAt === undefined ? '' : formatMoment(startedAt, Date.now(), vscode.env.language);
    const parts = [rowsText(run.rowCount), withoutIcons(subject.profile.name), time];
    return {
      label: `$(table) ${withoutIcons(result.title)}`,
      description: parts.filter(Boolean).join(' · '),
      choice: result,
    };
  });
  const sameTables = profiles.flatMap((profile): ChoiceItem[] => {
    if (!first || !isTable(first) || profile.id === first.profile.id) return [];
    const label = `$(database) ${withoutIcons(first.name)}`;
    return [{ label, description: withoutIcons(profile.name), choice: { profile, name: first.name } }];
  });
  const anyTable: ChoiceItem = { label: `$(search) ${vscode.l10n.t('Table…')}`, alwaysShow: true };
  const items = [...sameTables, ...resultItems, ...(profiles.length > 0 ? [anyTable] : [])];
  if (items.length === 0) {
    void showInformation(vscode.l10n.t('There are no rows to compare. Run a statement or add a project first.'));
    return undefined;
  }
  const picked = await vscode.window.showQuickPick(items, { title, matchOnDescription: true, ignoreFocusOut: true });
  if (!picked || picked.choice) return picked?.choice;
  const profile = await promptForProject(profiles, { title });
  const table = profile && (await promptForTable(catalogs, profile, { title, hasViews: true }));
  return profile && table && { profile, name: table.name };
}

/** The columns that identify a row; empty to compare whole rows. Undefined when the user cancels. */
async function chooseKey(columns: readonly string[]): Promise<readonly string[] | undefined> {
  const wholeRows = { label: vscode.l10n.t('Whole Rows'), name: undefined, alwaysShow: true };
  const items = [wholeRows, ...columns.map(name => ({ label: withoutIcons(name), name }))];
  const picked = await vscode.window.showQuickPick<(typeof items)[number]>(items, {
    title: vscode.l10n.t('Columns That Identify a Row'),
    placeHolder: vscode.l10n.t('Rows with the same values there are compared. Whole rows are only added or removed.'),
    canPickMany: true,
    ignoreFocusOut: true,
  });
  if (!picked || picked.length === 0) return undefined;
  return picked.includes(wholeRows) ? [] : picked.flatMap(({ name }) => name ?? []);
}
