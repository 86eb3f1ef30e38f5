import * as vscode from 'vscode';
import { formatDuration } from '../../base/formats.ts';
import type { Project } from '../../client/index.ts';
import type { Profile } from '../../model/profiles.ts';
import { type SearchNote, tableSearch } from '../../model/searching/searchRun.ts';
import {
  type FoundCell,
  placeOfRow,
  type SearchKind,
  type SearchRequest,
} from '../../model/searching/searchStatement.ts';
import { tagValue, textOf } from '../../protocol/shownValues.ts';
import { currentProject } from '../browsing/currentProject.ts';
import { equalTo } from '../browsing/referencedRow.ts';
import type { TableEditors } from '../browsing/tableEditors.ts';
import { type ProjectArgument, projectOfArgument } from '../commands/projectArgument.ts';
import { tableItems } from '../commands/tableCommands.ts';
import type { WindowParts } from '../composition.ts';
import { showInformation, withoutIcons } from '../notifications.ts';
import { numberText } from '../numbers.ts';
import { promptForTicks, runSteps, type Step, vscodeStepPrompts } from '../prompts/steps.ts';
import { offerRemedy, orRemedy, projectErrorMessage } from '../remedies.ts';
import type { Result } from '../results/result.ts';

type SearchProjectParts = Pick<WindowParts, 'projects' | 'clients' | 'catalogs' | 'results' | 'tables'>;

const limits = { tableMs: 10_000, tableCells: 1000, allCells: 10_000 };

/** Asks for a value and tables of a project, and shows the cells that have the value while they are found. */
export async function searchProject(parts: SearchProjectParts, argument: ProjectArgument): Promise<void> {
  const profile = await projectOfArgument(parts.projects, argument);
  if (!profile) return;
  await orRemedy(profile, async () => {
    const items = await tableItems(parts.catalogs, profile, true);
    const request = items.length > 0 && (await promptForSearch(profile, items));
    if (request) await startSearch(parts, profile, request);
  });
}

/** Undefined when the user cancels. */
async function promptForSearch(
  profile: Profile,
  items: Awaited<ReturnType<typeof tableItems>>,
): Promise<SearchRequest | undefined> {
  let text = '';
  let kind: SearchKind = 'contains';
  let tables = items.map(({ table }) => table).filter(table => table.kind === 'table');
  const shared = { title: vscode.l10n.t('Search Tables of {0}', withoutIcons(profile.name)), totalSteps: 3 };
  const promptForText: Step = () =>
    vscodeStepPrompts.promptForText({
      ...shared,
      step: 1,
      canGoBack: false,
      prompt: vscode.l10n.t("A text or a number. BLOBs are found only if they equal it, as in x'00ff'."),
      value: text,
      keepsBlanks: true,
      check: () => undefined,
      accept: async typed => {
        text = typed;
        return promptForKind;
      },
    });
  const promptForKind: Step = () =>
    vscodeStepPrompts.promptForChoice({
      ...shared,
      step: 2,
      canGoBack: true,
      prompt: vscode.l10n.t('Which values to find'),
      items: kindItems(text !== '').map(({ find, label, detail }) => ({
        label,
        detail,
        choose: async () => {
          kind = find;
          return promptForTables;
        },
      })),
    });
  const promptForTables: Step = () =>
    promptForTicks({
      ...shared,
      step: 3,
      canGoBack: true,
      prompt: vscode.l10n.t('Tables and views to search'),
      items: items.map(item => ({ ...item, picked: tables.includes(item.table) })),
      accept: async ticked => {
        if (ticked.length === 0) return { rejection: vscode.l10n.t('Select at least one table.') };
        tables = ticked.map(({ table }) => table);
        return 'done';
      },
    });
  return (await runSteps(promptForText)) ? { text, kind, tables } : undefined;
}

/** Every value contains the empty text, so that only values can be found that equal it. */
function kindItems(hasText: boolean): { readonly find: SearchKind; readonly label: string; readonly detail: string }[] {
  const equals = {
    find: 'equals',
    label: vscode.l10n.t('equals'),
    detail: vscode.l10n.t('Texts with exactly these letters, and numbers with this value: 42 finds 42.0, too.'),
  } as const;
  if (!hasText) return [equals];
  const detail = vscode.l10n.t('The letters A to Z and a to z are the same.');
  return [
    { find: 'contains', label: vscode.l10n.t('contains'), detail },
    equals,
    { find: 'startsWith', label: vscode.l10n.t('starts with'), detail },
  ];
}

async function startSearch(
  parts: SearchProjectParts,
  profile: Profile,
  request: SearchRequest,
  inPlaceOf?: Result,
): Promise<void> {
  const { projects, clients, catalogs, results, tables } = parts;
  const project = (await clients.for(profile)).project(profile.projectId);
  const search = tableSearch({
    ...(await results.runParts()),
    project,
    columnsOf: table => catalogs.for(profile).freshColumns(table),
    request,
    limits,
    names: [
      vscode.l10n.t('Table'),
      vscode.l10n.t('Column'),
      vscode.l10n.t('Row'),
      vscode.l10n.t('Value'),
      vscode.l10n.t('Note'),
    ],
    noteText: note => noteText(note, profile),
  });
  const onProject = async (work: (current: Profile) => Promise<void>): Promise<void> => {
    try {
      await work(await projects.get(profile.id));
    } catch (thrown) {
      await offerRemedy(thrown, await projects.find(profile.id));
    }
  };
  const title = vscode.l10n.t('Search: {0}', request.text);
  const subject = {
    profile,
    statement: title,
    title,
    search: () => search.progress,
    link: { column: search.progress.column, leadsTo: 'row' } as const,
    follow: (row: number) =>
      onProject(async current => {
        const cell = search.cellAt(search.run.queries.sourceRow?.(row) ?? row);
        if (!cell) return;
        const places = { project: currentProject(parts, current), tables: await tables() };
        await openFoundRow(places, current, cell, request);
      }),
    rerun: (from: Result) => onProject(current => startSearch(parts, current, request, from)),
  };
  await results.show(search.run, subject, { inPlaceOf });
}

function noteText(note: SearchNote, profile: Profile): string {
  switch (note.kind) {
    case 'time': {
      const time = formatDuration(limits.tableMs, vscode.env.language, 0);
      return note.rows === 0
        ? vscode.l10n.t('Not searched to the end: the time of {0} was used up.', time)
        : vscode.l10n.t('Searched about {0} rows: the time of {1} was used up.', numberText(note.rows), time);
    }
    case 'cells':
      return vscode.l10n.t('The limit of {0} in a table is reached. There may be more.', numberText(limits.tableCells));
    case 'allCells':
      return vscode.l10n.t(
        'The limit of {0} is reached. Tables that were not searched: {1}',
        numberText(limits.allCells),
        numberText(note.tables),
      );
    case 'fault':
      return vscode.l10n.t('Not searched: {0}', projectErrorMessage(note.fault, profile));
  }
}

interface OpenRowParts {
  readonly project: Pick<Project, 'query'>;
  readonly tables: TableEditors;
}

/** Opens a table at the row that a search found, with the found cell active. */
export async function openFoundRow(
  { project, tables }: OpenRowParts,
  profile: Profile,
  cell: FoundCell,
  { kind, text }: SearchRequest,
): Promise<void> {
  const row = cell.isRowId ? await placeOfRow(project, cell) : 0;
  if (row === undefined) return void showInformation(vscode.l10n.t('This row no longer exists. Search again.'));
  const values = cell.isRowId ? [] : cell.key.map(({ column, value }) => ({ column, text: textOf(tagValue(value)) }));
  const hasKey = cell.key.length > 0;
  await tables.openShown(profile, cell.table, {
    // Without a key, show all rows whose column has the value.
    columns: hasKey ? values.map(({ column }) => column) : [cell.column],
    arrangement: hasKey ? equalTo(values) : { sort: [], filters: [{ kind, column: 0, text }] },
    place: { row, column: cell.columnIndex },
  });
}
