import * as vscode from 'vscode';
import { randomUUID } from 'node:crypto';
import type { Project } from '../../client/index.ts';
import { objectNames, readCopiedTable, readDefinition } from '../../model/copying/copiedTable.ts';
import { copyDefinition, type DefinitionCopy } from '../../model/copying/definitionCopy.ts';
import { hasJsonb } from '../../model/importing/jsonbSupport.ts';
import type { ImportPlan } from '../../model/importing/journal.ts';
import type { Profile } from '../../model/profiles.ts';
import { freeName } from '../../sql/text/freeNames.ts';
import { isSameName } from '../../sql/text/names.ts';
import { type ProjectArgument, resolveProject } from '../commands/projectArgument.ts';
import { promptForTable } from '../commands/tableCommands.ts';
import type { Catalogs } from '../connections/catalogs.ts';
import type { Clients } from '../connections/clients.ts';
import { promptForProject } from '../connections/projectPrompts.ts';
import type { Projects } from '../connections/projects.ts';
import type { ChosenTable } from '../importing/importChoice.ts';
import { askForTable } from '../importing/importQuestions.ts';
import type { ImportRuns } from '../importing/importRuns.ts';
import { modeDescription, modeName } from '../importing/importTexts.ts';
import { refuseWrites } from '../importing/refuseWrites.ts';
import { placeOf } from '../projectAppearance.ts';
import { offerRemedy } from '../remedies.ts';
import { confirmChange } from '../running/confirmRisk.ts';
import { columnNamesOf, type CopyChoice, withCopyTable } from './copyChoice.ts';
import { promptForCopy } from './copyDialog.ts';
import { rowsText } from '../numbers.ts';
import { maxSmallAnswerBytes } from '../../wire/answerLimits.ts';
import { errorMessage } from '../errorMessages.ts';
import { sendCreations } from '../importing/sendCreations.ts';
import { showWarning } from '../notifications.ts';

interface CopyTableParts {
  readonly projects: Projects;
  readonly clients: Clients;
  readonly catalogs: Catalogs;
  readonly runs: ImportRuns;
}

/** Copies a table with its rows to another project, or under another name. The source is only read. */
export async function copyTable(parts: CopyTableParts, argument: ProjectArgument): Promise<void> {
  const { projects, catalogs, runs } = parts;
  const source = await resolveProject(projects, argument);
  if (!source) return;
  let shown = source;
  try {
    const name =
      typeof argument === 'object' && argument.kind === 'table'
        ? argument.name
        : (await promptForTable(catalogs, source, { title: vscode.l10n.t('Copy Table of {0}', source.name) }))?.name;
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
    shown = target;
    const choice = await chooseCopy(parts, { source, target, copied, definition });
    const plan = choice && (await planOf(parts, { source, target, choice }));
    if (plan) await runs.start(target, plan);
  } catch (thrown) {
    if (!(thrown instanceof vscode.CancellationError)) await offerRemedy(thrown, shown);
  }
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
  {
    source,
    target,
    copied,
    definition,
  }: CopyEnds & Pick<CopyChoice, 'definition'> & { readonly copied: CopyChoice['source'] },
): Promise<CopyChoice | undefined> {
  const { name } = copied;
  // The local service gets another address whenever it starts.
  const isSameService = source.baseUrl === target.baseUrl || (source.source === 'local' && target.source === 'local');
  const isSameProject = source.id === target.id || (isSameService && source.projectId === target.projectId);
  const tables = await parts.catalogs.for(target).tables();
  const proposed = isSameProject ? freeName(`${name}_copy`, tables) : name;
  const choice: CopyChoice = {
    source: copied,
    definition,
    isSameProject,
    tables,
    table: { name: proposed, columns: undefined },
    target: { table: proposed, mode: 'insert', columns: [], key: [], hasJsonb: false },
    stopsAtRejection: false,
    copiesIndexes: true,
    copiesTriggers: false,
  };
  return promptForCopy(withCopyTable(choice, await tableOf(parts, target, proposed)), {
    project: target.name,
    askForTable: async before => {
      const chosen = await askForTable(tables, before.table.name, before.table.name);
      return chosen === undefined ? undefined : withCopyTable(before, await tableOf(parts, target, chosen));
    },
  });
}

/** The table of this name, with its columns as they are now; a new one if there is none. */
async function tableOf({ catalogs }: CopyTableParts, profile: Profile, name: string): Promise<ChosenTable> {
  const catalog = catalogs.for(profile);
  const existingTable = (await catalog.tables()).find(table => isSameName(table, name));
  if (existingTable === undefined) return { name: name.trim(), columns: undefined };
  return { name: existingTable, columns: await catalog.freshColumns(existingTable) };
}

/** Asks in a project that wants writes confirmed, and creates the new table. Undefined when the copy does not start. */
async function planOf(
  parts: CopyTableParts,
  { source, target, choice }: CopyEnds & { readonly choice: CopyChoice },
): Promise<ImportPlan | undefined> {
  const { source: copied, definition, table, copiesIndexes, copiesTriggers } = choice;
  if (target.protection === 'confirmWrites' && !(await confirmCopy(source, target, choice))) return undefined;
  const takesJsonb = await hasJsonb(parts.runs.sendTo(target));
  const isNew = table.columns === undefined;
  const objects = isNew
    ? copyDefinition({
        source: copied,
        definition,
        name: table.name,
        takenNames: await objectNames(await projectOf(parts, target)),
        copiesIndexes,
        copiesTriggers,
      })
    : undefined;
  if (objects) {
    const isCreated = await createObjects(parts.clients, target, { table: table.name, objects });
    // The table may be there although an index failed.
    parts.catalogs.for(target).forget();
    if (!isCreated) return undefined;
  }
  return {
    id: randomUUID(),
    work: 'copy',
    project: placeOfProject(target),
    source: {
      name: vscode.l10n.t("'{0}' of {1}", copied.name, source.name),
      project: placeOfProject(source),
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

const placeOfProject = ({ id, name, baseUrl, projectId }: Profile): ImportPlan['project'] => ({
  profileId: id,
  name,
  baseUrl,
  projectId,
});

async function confirmCopy(source: Profile, target: Profile, choice: CopyChoice): Promise<boolean> {
  const { table } = choice;
  const rows = rowsText(choice.source.rowCount);
  const question = vscode.l10n.t("Copy {0} into '{1}' in {2}?", rows, table.name, placeOf(target));
  const from = vscode.l10n.t("From '{0}' in {1}", choice.source.name, placeOf(source));
  const { mode } = choice.target;
  const how = table.columns
    ? vscode.l10n.t('{0}: {1}', modeName(mode), modeDescription(mode))
    : vscode.l10n.t('The table is created.');
  return confirmChange(question, [from, how, target.baseUrl].join('\n\n'), vscode.l10n.t('Copy Rows'));
}

/** Creates the copy of a table with its indexes. False unless they are certainly there; a message says why. */
async function createObjects(
  clients: Clients,
  profile: Profile,
  { table, objects }: { readonly table: string; readonly objects: DefinitionCopy },
): Promise<boolean> {
  if (!(await sendCreations(clients, profile, { table, statements: objects.before }))) return false;
  if (objects.sequence === undefined) return true;
  try {
    const options = { idempotencyKey: randomUUID(), maxAnswerBytes: maxSmallAnswerBytes };
    const client = await clients.for(profile);
    await client.execSql(profile.projectId, { sql: objects.sequence, params: null }, options);
  } catch (thrown) {
    const message = errorMessage(thrown);
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
