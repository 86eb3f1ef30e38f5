import { placeOf } from '../projectAppearance.ts';
import * as vscode from 'vscode';
import { isAbort } from '../../base/errors.ts';
import type { Project } from '../../client/index.ts';
import { readReferencingKeys } from '../../model/catalog/referencingKeys.ts';
import type { Profile } from '../../model/profiles.ts';
import { sendStatements } from '../../model/results/statementSequence.ts';
import { isSameName } from '../../sql/text/names.ts';
import type { RiskQuestion } from '../running/riskQuestion.ts';
import { quoteIdentifier } from '../../sql/text/quoting.ts';
import { oneLine } from '../../base/oneLine.ts';
import type { Catalogs, ProjectParts } from '../connections/projects.ts';
import { promptForOtherProject } from '../connections/projectPrompts.ts';
import { definitionUri, scriptOf } from '../definitions/definitionDocuments.ts';
import { isObject, type ObjectNode } from '../tree/treeNodes.ts';
import { isKeyFault, orRemedy } from '../remedies.ts';
import { commandId } from '../names.ts';
import { showInformation, withoutIcons } from '../notifications.ts';
import { type Look, tableLook } from '../questions.ts';
import { errorMessage } from '../errorMessages.ts';
import { withProgress } from '../progress.ts';
import { numberText } from '../numbers.ts';

const maxListLength = 500;

/** Copies the name without quotes. */
export async function copyName(node: unknown): Promise<void> {
  const { name } = (node ?? {}) as { readonly name?: unknown };
  if (typeof name === 'string') await vscode.env.clipboard.writeText(name);
}

export async function copyDefinition({ catalogs }: ProjectParts, node: unknown): Promise<void> {
  if (!isObject(node)) return;
  await orRemedy(node.profile, async () => {
    const script = scriptOf(await catalogs.for(node.profile).definitions(node.kind, node.name));
    await vscode.env.clipboard.writeText(script);
    const message = vscode.l10n.t("Copied the definition of '{0}'.", node.name);
    vscode.window.setStatusBarMessage(withoutIcons(message), 3000);
  });
}

/** Opens the definition as a read-only document of its project, so that its statements run there. */
export async function showDefinition(node: unknown): Promise<void> {
  if (!isObject(node)) return;
  const uri = definitionUri(node.profile, node.kind, node.name);
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri));
}

/** Compares a definition with that of the object with the same name in another project. */
export async function compareDefinition({ projects }: ProjectParts, node: unknown): Promise<void> {
  if (!isObject(node)) return;
  const { profile, kind, name } = node;
  const other = await promptForOtherProject(projects, profile);
  if (!other) return;
  const uri = definitionUri(profile, kind, name);
  const otherUri = definitionUri(other, kind, name);
  const title = vscode.l10n.t('{0}: {1} ↔ {2}', name, profile.name, other.name);
  await vscode.commands.executeCommand('vscode.diff', uri, otherUri, title);
}

export async function showRowCount({ catalogs }: ProjectParts, node: unknown): Promise<void> {
  if (!isObject(node)) return;
  await orRemedy(node.profile, async () => {
    const count = await countRowsOf(catalogs, node.profile, node.name);
    const localCount = numberText(count);
    const message =
      count === 1n
        ? vscode.l10n.t("'{0}' has 1 row.", node.name)
        : vscode.l10n.t("'{0}' has {1} rows.", node.name, localCount);
    void showInformation(message);
  });
}

/** Drops an object after a confirmation that says what is lost with it. */
export async function dropObject({ clients, catalogs }: ProjectParts, node: unknown): Promise<void> {
  if (!isObject(node)) return;
  await orRemedy(node.profile, async () => {
    const { profile, kind, name } = node;
    const sql = `DROP ${kind.toUpperCase()} ${quoteIdentifier(name)}`;
    // The question below is enough for `confirmWrites`.
    if (profile.protection === 'readOnly') {
      const { refuseStatement } = await import('../running/running.ts');
      if (refuseStatement(profile, sql)) return;
    }
    const { confirmRisk } = await import('../running/riskQuestion.ts');
    const project = (await clients.for(profile)).project(profile.projectId);
    const others = kind === 'table' ? await tablesReferringTo(project, name) : [];
    if (!(await confirmRisk(await dropQuestion(catalogs, node, others), lookAt(node)))) return;
    try {
      const title = vscode.l10n.t("Dropping '{0}'", name);
      const stop = await withProgress(title, signal => sendStatements(project, [sql], signal));
      if (stop) throw stop.error;
    } finally {
      // If the answer was lost, the object may be gone.
      catalogs.for(profile).forget();
    }
  });
}

const lookAt = (node: ObjectNode): Look =>
  node.kind === 'table'
    ? tableLook(node.profile, node.name)
    : { shows: 'sql', run: () => vscode.commands.executeCommand(commandId('showDefinition'), node) };

/** The other tables whose foreign keys refer to a table. Empty if the service does not say. */
async function tablesReferringTo(project: Pick<Project, 'query'>, name: string): Promise<string[]> {
  const keys = await readReferencingKeys(project, name).catch(() => []);
  return [...new Set(keys.map(({ table }) => table))].filter(table => !isSameName(table, name));
}

async function dropQuestion(
  catalogs: Catalogs,
  { kind, name, profile }: ObjectNode,
  others: readonly string[],
): Promise<RiskQuestion> {
  const { dropText } = await import('../running/riskQuestion.ts');
  const counted = kind === 'table' ? await countLostRows(catalogs, profile, name) : undefined;
  const { description, reason, deed } = dropText(kind, name, counted?.count);
  const question = vscode.l10n.t('{0} in {1}?', description, placeOf(profile));
  const listed = oneLine(others.map(other => `'${other}'`).join(', '), maxListLength);
  const referring = listed === '' ? undefined : vscode.l10n.t('Other tables refer to it: {0}', listed);
  const notes = [counted?.note, referring, vscode.l10n.t('This cannot be undone.'), profile.baseUrl];
  return {
    question: reason === undefined ? question : `${question} ${reason}`,
    detail: notes.filter(note => note !== undefined).join('\n\n'),
    deed,
    typedName: profile.protection === 'open' ? undefined : name,
  };
}

interface LostRows {
  readonly count?: bigint;
  /** Why the rows were not counted. */
  readonly note?: string;
}

/** A failed count becomes a note of the question. Cancelling the count cancels the drop. */
async function countLostRows(catalogs: Catalogs, profile: Profile, name: string): Promise<LostRows> {
  try {
    return { count: await countRowsOf(catalogs, profile, name) };
  } catch (thrown) {
    if (isAbort(thrown) || isKeyFault(thrown)) throw thrown;
    return { note: vscode.l10n.t('Its rows could not be counted: {0}', errorMessage(thrown)) };
  }
}

const countRowsOf = (catalogs: Catalogs, profile: Profile, name: string): Promise<bigint> =>
  withProgress(vscode.l10n.t('Counting the rows of {0}…', name), signal =>
    catalogs.for(profile).rowCount(name, signal),
  );
