import * as vscode from 'vscode';
import { monotonicClock } from '../../base/clock.ts';
import { misuse } from '../../base/errors.ts';
import { formatMoment } from '../../base/timeOfDay.ts';
import { primaryKeyOf } from '../../model/catalog/primaryKey.ts';
import { comparedTableSql } from '../../model/results/comparison.ts';
import { type ComparedRun, ComparisonRun } from '../../model/results/comparisonRun.ts';
import type { RowsThread } from '../../model/results/queries/rowsThread.ts';
import { SpoolQueries } from '../../model/results/queries/spoolQueries.ts';
import { hasEnded } from '../../model/results/run.ts';
import { StatementRun } from '../../model/results/statementRun.ts';
import type { Profile } from '../../model/profiles.ts';
import type { ComparisonSource } from '../../protocol/comparison.ts';
import type { ProjectArgument } from '../commands/projectArgument.ts';
import { promptForTable } from '../commands/tableCommands.ts';
import type { Catalogs } from '../connections/catalogs.ts';
import type { Clients } from '../connections/clients.ts';
import { promptForProject } from '../connections/projectPrompts.ts';
import type { Projects } from '../connections/projects.ts';
import { showInformation, withoutIcons } from '../notifications.ts';
import { rowsText } from '../numbers.ts';
import { orRemedy } from '../remedies.ts';
import { runIdOf } from '../results/openResults.ts';
import type { ResultsView } from '../results/resultsView.ts';
import type { ResultTab } from '../results/resultTab.ts';
import type { ScratchFolder } from '../results/scratchFolder.ts';
import type { TableNode } from '../tree/treeNodes.ts';

interface CompareParts {
  readonly projects: Projects;
  readonly clients: Clients;
  readonly catalogs: Catalogs;
  readonly results: ResultsView;
  readonly scratch: ScratchFolder;
  readonly rowsThread: () => Promise<RowsThread>;
}

interface TableChoice {
  readonly profile: Profile;
  readonly name: string;
}

type Choice = ResultTab | TableChoice;

/** Rows that can be compared. They are opened when the user has chosen the key. */
interface ComparableRows extends ComparisonSource {
  readonly columns: readonly string[];
  /** Empty if it is not known. */
  readonly key: readonly string[];
  readonly open: () => Promise<ComparedRun>;
}

/** Compares the rows of a result or a table, which the argument names or the user chooses, with those of another one. */
export async function compareWith(parts: CompareParts, argument: ProjectArgument): Promise<void> {
  const results = (await parts.results.all()).filter(isComparable);
  const named = typeof argument === 'object' && isTableNode(argument) ? argument : undefined;
  const runId = runIdOf(argument);
  if (runId !== undefined && !results.some(({ id }) => id === runId)) {
    void showInformation(vscode.l10n.t('This result has no rows yet that can be compared. Wait until it has ended.'));
    return;
  }
  const first =
    named ??
    results.find(({ id }) => id === runId) ??
    (await chooseRows(parts, results, { title: vscode.l10n.t('Compare Rows Of') }));
  if (!first) return;
  const others = results.filter(result => result !== first);
  const second = await chooseRows(parts, others, { title: vscode.l10n.t('Compare Rows With'), first });
  if (!second) return;
  const profile = [second, first].find(isTable)?.profile;
  const compare = (): Promise<void> => startComparison(parts, [first, second]);
  await (profile ? orRemedy(profile, compare) : compare());
}

async function startComparison(parts: CompareParts, choices: readonly [Choice, Choice]): Promise<void> {
  const one = await rowsOf(parts, choices[0]);
  const other = await rowsOf(parts, choices[1]);
  // A result is older than a table, which is read now.
  const isOlder = (other.at ?? Infinity) < (one.at ?? Infinity);
  const [before, after] = isOlder ? [other, one] : [one, other];
  const common = before.columns.filter(name => after.columns.includes(name));
  if (common.length === 0) {
    void showInformation(vscode.l10n.t('There is nothing to compare: no column has the same name in both.'));
    return;
  }
  const knownKey = [before, after]
    .map(({ key }) => key)
    .find(key => key.length > 0 && key.every(name => common.includes(name)));
  const key = knownKey ?? (await chooseKey(common));
  if (!key) return;
  const { results, scratch, rowsThread } = parts;
  const run = new ComparisonRun({
    sources: [await before.open(), await after.open()],
    key,
    folder: await scratch.path(),
    thread: await rowsThread(),
    disk: results.disk,
    clock: monotonicClock,
  });
  const sides = { before: sideOf(before), after: sideOf(after), key };
  const title = `${before.name} → ${after.name}`;
  const { profile } = isTable(choices[0]) ? choices[0] : choices[0].subject;
  await results.show(run, { profile, statement: title, title, comparison: () => ({ ...sides, ...run.outcome }) });
}

const sideOf = ({ name, at, isPart }: ComparableRows): ComparisonSource => ({ name, at: at ?? Date.now(), isPart });

const isTable = (choice: Choice): choice is TableChoice => !('run' in choice);

const isTableNode = (argument: object): argument is TableNode =>
  'kind' in argument && (argument.kind === 'table' || argument.kind === 'view');

const isComparable = ({ run, subject }: ResultTab): boolean =>
  run.queries instanceof SpoolQueries &&
  run.columns.length > 0 &&
  (hasEnded(run) || run.state === 'paused') &&
  !subject.comparison &&
  !subject.log;

async function rowsOf(parts: CompareParts, choice: Choice): Promise<ComparableRows> {
  if (isTable(choice)) return rowsOfTable(parts, choice);
  const { run, title, startedAt } = choice;
  const { queries } = run;
  if (!(queries instanceof SpoolQueries)) throw misuse('no_rows', 'This result has no rows.');
  return {
    name: title,
    at: startedAt ?? 0,
    isPart: run.state !== 'done',
    columns: run.columns.map(({ name }) => name),
    key: run.columns.filter((_, column) => run.keyOf?.(column)?.isKey).map(({ name }) => name),
    open: async () => ({ queries, reading: undefined, letterColumn: undefined }),
  };
}

async function rowsOfTable(
  { catalogs, clients, results, scratch, rowsThread }: CompareParts,
  { profile, name }: TableChoice,
): Promise<ComparableRows> {
  const columns = await catalogs.for(profile).freshColumns(name);
  const columnNames = columns.map(column => column.name);
  return {
    name: vscode.l10n.t('{0} of {1}', name, profile.name),
    at: undefined,
    isPart: false,
    columns: columnNames,
    key: primaryKeyOf(columns),
    open: async () => {
      const { sql, letterColumn } = comparedTableSql(name, columnNames);
      const run = new StatementRun({
        client: await clients.for(profile),
        projectId: profile.projectId,
        request: { sql, params: [] },
        isReadOnly: true,
        folder: await scratch.path(),
        limits: { maxRows: Infinity, maxBytes: Infinity },
        disk: results.disk,
        thread: await rowsThread(),
        clock: monotonicClock,
      });
      return { queries: run.queries, reading: run, letterColumn };
    },
  };
}

interface ChooseOptions {
  readonly title: string;
  readonly first?: Choice;
}

interface ChoiceItem extends vscode.QuickPickItem {
  /** Undefined for the item that asks for a table. */
  readonly choice?: Choice;
}

/** Asks for a result, for the table of the same name in another project, or for any table. */
async function chooseRows(
  { projects, catalogs }: CompareParts,
  results: readonly ResultTab[],
  { title, first }: ChooseOptions,
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
