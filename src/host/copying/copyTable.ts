import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { Project } from '../../client/index.ts';
import {
  objectNames,
  readCopiedTable,
  readDefinition,
  type CopiedTable,
  type TableDefinition,
} from '../../model/copying/copiedTable.ts';
import { definitionCopyOf, type DefinitionCopy } from '../../model/copying/definitionCopy.ts';
import { hasJsonb } from '../../model/importing/jsonbSupport.ts';
import type { ImportPlan } from '../../model/importing/journal.ts';
import type { Profile } from '../../model/profiles.ts';
import { sendStatements, type SequenceStop } from '../../model/results/statementSequence.ts';
import { freeName } from '../../sql/text/freeNames.ts';
import { isSameName } from '../../sql/text/names.ts';
import { type ProjectArgument, projectOfArgument } from '../commands/projectArgument.ts';
import { tableNameFor } from '../commands/tableCommands.ts';
import type { ProjectParts } from '../connections/projects.ts';
import { promptForProject } from '../connections/projectPrompts.ts';
import { type ChosenTable, chosenTable, planProject, type TargetChoice, targetIn } from '../importing/importChoice.ts';
import { askForTable } from '../importing/importQuestions.ts';
import { type ImportRuns, refuseWrites } from '../importing/importRuns.ts';
import { modeDescription, modeName } from '../importing/importTexts.ts';
import { placeOf } from '../projectAppearance.ts';
import { orRemedy } from '../remedies.ts';
import { rowsText, rowsTitle } from '../numbers.ts';
import { errorMessage } from '../errorMessages.ts';
import { showWarning, withoutIcons, showError } from '../notifications.ts';
import { withProgress } from '../progress.ts';
import { confirm, tableLook } from '../questions.ts';
import { badRowItems, type ChoiceItem, promptForChoices, separator, switchItem } from '../prompts/choiceList.ts';
import { targetFault, targetItems } from '../importing/targetItems.ts';
import type { Clients } from '../connections/clients.ts';

interface CopyTableParts extends ProjectParts {
  readonly runs: ImportRuns;
}

/** Copies a table with its rows to another project, or under another name. The source is only read. */
export async function copyTable(parts: CopyTableParts, argument: ProjectArgument): Promise<void> {
  const { projects, catalogs, runs } = parts;
  const source = await projectOfArgument(projects, argument);
  if (!source) return;
  await orRemedy(source, async () => {
    const name = await tableNameFor(catalogs, source, argument, vscode.l10n.t('Copy Table of {0}', source.name));
    if (name === undefined) return;
    const { profiles } = await projects.list();
    const target = await promptForProject(profiles, {
      title: vscode.l10n.t("Copy '{0}' to Project", name),
      alwaysAsks: true,
    });
    if (!target) return;
    if (await refuseWrites(target)) return;
    const project = await projectOf(parts, source);
    const copied = await readCopiedTable(project, name);
    const definition = await readDefinition(project, name);
    await orRemedy(target, async () => {
      const choice = await chooseCopy(parts, { source, target }, { source: copied, definition });
      const plan = choice && (await planOf(parts, { source, target, choice }));
      if (plan) await runs.start(target, plan);
    });
  });
}

interface CopyEnds {
  readonly source: Profile;
  readonly target: Profile;
}

const projectOf = async ({ clients }: CopyTableParts, profile: Profile): Promise<Project> =>
  (await clients.for(profile)).project(profile.projectId);

/** Asks how to copy the table. Undefined when the user cancels. */
async function chooseCopy(
  parts: CopyTableParts,
  { source, target }: CopyEnds,
  copied: Pick<CopyChoice, 'source' | 'definition'>,
): Promise<CopyChoice | undefined> {
  const { name } = copied.source;
  // The local service gets another address whenever it starts.
  const isSameService = source.baseUrl === target.baseUrl || (source.source === 'local' && target.source === 'local');
  const isSameProject = source.id === target.id || (isSameService && source.projectId === target.projectId);
  const catalog = parts.catalogs.for(target);
  const tables = await catalog.tables();
  const proposed = isSameProject ? freeName(`${name}_copy`, tables) : name;
  const choice: CopyChoice = {
    ...copied,
    isSameProject,
    tables,
    table: { name: proposed, columns: undefined },
    target: { table: proposed, mode: 'insert', columns: [], key: [], hasJsonb: false },
    stopsAtRejection: false,
    copiesIndexes: true,
    copiesTriggers: false,
  };
  const askForCopyTable = async (before: CopyChoice): Promise<CopyChoice | undefined> => {
    const chosen = await askForTable(tables, before.table.name);
    return chosen === undefined ? undefined : withCopyTable(before, await chosenTable(catalog, chosen));
  };
  return promptForChoices(withCopyTable(choice, await chosenTable(catalog, proposed)), {
    title: vscode.l10n.t('Copy {0} to {1}', withoutIcons(name), withoutIcons(target.name)),
    placeholder: vscode.l10n.t('Enter changes an option, or copies with the first item'),
    itemsOf: before => itemsOf(before, askForCopyTable),
    faultOf: copyFaultText,
  });
}

/** With the protection `confirmWrites`, asks the user first. Creates the table if it is new. Undefined when the copy does not start. */
async function planOf(
  parts: CopyTableParts,
  { source, target, choice }: CopyEnds & { readonly choice: CopyChoice },
): Promise<ImportPlan | undefined> {
  const { source: copied, definition, table, copiesIndexes, copiesTriggers } = choice;
  if (target.protection === 'confirmWrites' && !(await confirmCopy(source, target, choice))) return undefined;
  const takesJsonb = await hasJsonb(parts.runs.sendTo(target));
  let objects: DefinitionCopy | undefined;
  if (!table.columns) {
    objects = definitionCopyOf({
      source: copied,
      definition,
      name: table.name,
      takenNames: await objectNames(await projectOf(parts, target)),
      copiesIndexes,
      copiesTriggers,
    });
    const isCreated = await createObjects(parts, target, { table: table.name, objects });
    // If an index failed, the table may be there.
    parts.catalogs.for(target).forget();
    if (!isCreated) return undefined;
  }
  return {
    id: randomUUID(),
    work: 'copy',
    project: planProject(target),
    source: {
      name: vscode.l10n.t("'{0}' of {1}", copied.name, source.name),
      project: planProject(source),
      table: copied.name,
      columns: columnNamesOf(choice),
      key: copied.key,
      rowCount: copied.rowCount,
    },
    target: { ...choice.target, hasJsonb: takesJsonb },
    stopsAtRejection: choice.stopsAtRejection,
    finish: objects?.after ?? [],
  };
}

async function confirmCopy(source: Profile, target: Profile, choice: CopyChoice): Promise<boolean> {
  const { table } = choice;
  const rows = rowsText(choice.source.rowCount);
  const question = vscode.l10n.t("Copy {0} into '{1}' in {2}?", rows, table.name, placeOf(target));
  const from = vscode.l10n.t("From '{0}' in {1}", choice.source.name, placeOf(source));
  const { mode } = choice.target;
  const how = table.columns
    ? vscode.l10n.t('{0}: {1}', modeName(mode), modeDescription(mode))
    : vscode.l10n.t('The table is created.');
  const deed = vscode.l10n.t('Copy {0}', rowsTitle(choice.source.rowCount));
  const look = tableLook(source, choice.source.name);
  return confirm(question, [from, how, target.baseUrl].join('\n\n'), look, deed);
}

/** Creates the copy of a table with its indexes. False if that failed or is unknown; a message says why. */
async function createObjects(
  parts: CopyTableParts,
  profile: Profile,
  { table, objects }: { readonly table: string; readonly objects: DefinitionCopy },
): Promise<boolean> {
  if (!(await sendCreations(parts.clients, profile, table, objects.before))) return false;
  if (objects.sequence === undefined) return true;
  const project = await projectOf(parts, profile);
  const statements = [objects.sequence];
  const title = vscode.l10n.t("Setting the AUTOINCREMENT counter of '{0}'", table);
  const stop = await withProgress(title, signal => sendStatements(project, statements, signal));
  if (stop) {
    const message = errorMessage(stop.error);
    void showWarning(
      vscode.l10n.t(
        "The AUTOINCREMENT counter of '{0}' could not be set: {1} Keys of rows that the source has deleted may be used again.",
        table,
        message,
      ),
    );
  }
  return true;
}

function itemsOf(
  choice: CopyChoice,
  askForCopyTable: (before: CopyChoice) => Promise<CopyChoice | undefined>,
): ChoiceItem<CopyChoice>[] {
  const fault = copyFaultText(choice);
  const isNew = choice.table.columns === undefined;
  const copyItem: ChoiceItem<CopyChoice> = {
    key: 'copy',
    label: `$(${fault === undefined ? 'copy' : 'warning'}) ${vscode.l10n.t('Copy {0}…', rowsText(choice.source.rowCount))}`,
    description: fault ?? noteOf(choice),
    alwaysShow: true,
  };
  return [
    copyItem,
    separator(vscode.l10n.t('Target')),
    ...targetItems(choice, columnNamesOf(choice), askForCopyTable),
    ...(isNew ? schemaItems(choice) : []),
    separator(vscode.l10n.t('Rejected Rows')),
    ...badRowItems(choice),
  ];
}

const named = (names: readonly { readonly name: string }[]): string =>
  withoutIcons(names.map(({ name }) => name).join(', '));

/** The parts of the table that a copy may leave out. */
function schemaItems(choice: CopyChoice): ChoiceItem<CopyChoice>[] {
  const { indexes, triggers } = choice.definition;
  const indexItem = switchItem('copiesIndexes', vscode.l10n.t('Indexes'), choice);
  const triggerItem = switchItem('copiesTriggers', vscode.l10n.t('Triggers, Created After the Rows'), choice);
  return [
    ...(indexes.length > 0 ? [{ ...indexItem, description: named(indexes) }] : []),
    ...(triggers.length > 0 ? [{ ...triggerItem, description: named(triggers) }] : []),
  ];
}

function noteOf(choice: CopyChoice): string {
  const missing = missingReferences(choice);
  const notes = [vscode.l10n.t("into '{0}'", withoutIcons(choice.table.name))];
  if (missing.length > 0) {
    notes.push(vscode.l10n.t('foreign keys refer to {0}, which the project does not have', missing.join(', ')));
  }
  if (choice.source.key.length === 0)
    notes.push(vscode.l10n.t('the copied table has no key: nobody may write to it during the copy'));
  return notes.join(' · ');
}

function copyFaultText(choice: CopyChoice): string | undefined {
  const { source, table, isSameProject } = choice;
  if (isSameProject && isSameName(source.name, table.name)) {
    return vscode.l10n.t('A table cannot be copied into itself. Choose another name.');
  }
  return targetFault(choice);
}

interface CopyChoice extends TargetChoice {
  readonly source: CopiedTable;
  readonly definition: TableDefinition;
  readonly isSameProject: boolean;
  /** The names of all tables of the target. */
  readonly tables: readonly string[];
  readonly stopsAtRejection: boolean;
  /** These two count for a new table only. */
  readonly copiesIndexes: boolean;
  readonly copiesTriggers: boolean;
}

function withCopyTable(choice: CopyChoice, table: ChosenTable): CopyChoice {
  const target = { ...choice.target, ...targetIn(table, columnNamesOf(choice), true), mode: 'insert' } as const;
  return { ...choice, table, target };
}

const columnNamesOf = ({ source }: CopyChoice): string[] => source.columns.map(({ name }) => name);

/** The tables that foreign keys of a new table refer to, and the target does not have. */
function missingReferences({ source, table, tables }: CopyChoice): string[] {
  if (table.columns) return [];
  return source.references.filter(name => !tables.some(other => isSameName(other, name)));
}

/** Creates a table with the first statement, and its indexes with the others. False if that failed or is unknown; a message says why. */
export async function sendCreations(
  clients: Pick<Clients, 'for'>,
  profile: Profile,
  table: string,
  statements: readonly string[],
): Promise<boolean> {
  let message: string | undefined;
  try {
    const project = (await clients.for(profile)).project(profile.projectId);
    const title = vscode.l10n.t("Creating '{0}'", table);
    const stop = await withProgress(title, signal => sendStatements(project, statements, signal));
    message = stop && stopText(table, stop);
  } catch (thrown) {
    message = vscode.l10n.t("The table '{0}' was not created: {1}", table, errorMessage(thrown));
  }
  if (message !== undefined) void showError(message);
  return message === undefined;
}

function stopText(table: string, { index, error, isUnknown }: SequenceStop): string {
  const reason = errorMessage(error);
  if (index > 0) {
    return isUnknown
      ? vscode.l10n.t(
          "The table '{0}' was created. No answer came for one of its indexes, so it is unknown whether it has all: {1} No row was sent.",
          table,
          reason,
        )
      : vscode.l10n.t("The table '{0}' was created, but not all of its indexes: {1} No row was sent.", table, reason);
  }
  return isUnknown
    ? vscode.l10n.t(
        "No answer came, so it is unknown whether the table '{0}' was created: {1} No row was sent. Check whether the table exists before you create it again.",
        table,
        reason,
      )
    : vscode.l10n.t("The table '{0}' was not created: {1}", table, reason);
}
