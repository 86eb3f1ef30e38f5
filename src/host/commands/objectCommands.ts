import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { Client, ProjectStatus } from '../../client/index.ts';
import { isMissingEndpoint } from '../../model/catalog/catalog.ts';
import type { Profile } from '../../model/profiles.ts';
import { quoteIdentifier } from '../../sql/text/quoting.ts';
import type { Catalogs } from '../connections/catalogs.ts';
import type { Clients } from '../connections/clients.ts';
import type { DocumentProjects } from '../connections/documentProjects.ts';
import { promptForProject } from '../connections/projectPrompts.ts';
import type { Projects } from '../connections/projects.ts';
import { definitionUri, scriptOf } from '../definitions/definitionDocuments.ts';
import { isObject, type ObjectNode, type TreeNode } from '../tree/treeNodes.ts';
import { isKeyFault, offerRemedy } from '../remedies.ts';
import { confirm, showInformation, withoutIcons } from '../notifications.ts';
import { errorMessage } from '../errorMessages.ts';
import { withProgress } from '../progress.ts';

export interface ObjectCommandParts {
  readonly projects: Projects;
  readonly clients: Clients;
  readonly catalogs: Catalogs;
  readonly documents: DocumentProjects;
}

/** Copies the name without quotes. */
export async function copyName(node: unknown): Promise<void> {
  const { name } = (node ?? {}) as { readonly name?: unknown };
  if (typeof name === 'string') await vscode.env.clipboard.writeText(name);
}

export async function copyDefinition({ catalogs }: ObjectCommandParts, node: unknown): Promise<void> {
  if (!isObject(node)) return;
  await offeringRemedy(node, async () => {
    const script = scriptOf(await catalogs.for(node.profile).definitions(node.kind, node.name));
    await vscode.env.clipboard.writeText(script);
    const message = vscode.l10n.t('The definition of {0} is on the clipboard.', node.name);
    vscode.window.setStatusBarMessage(withoutIcons(message), 3000);
  });
}

/** Opens the definition as a read-only document of its project, so that its statements run there. */
export async function showDefinition({ documents }: ObjectCommandParts, node: unknown): Promise<void> {
  if (!isObject(node)) return;
  const uri = definitionUri(node.profile, node.kind, node.name);
  await documents.assign(uri, node.profile);
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri));
}

/** Compares a definition with that of the same name in another project. */
export async function compareDefinition({ projects, documents }: ObjectCommandParts, node: unknown): Promise<void> {
  if (!isObject(node)) return;
  const { profile, kind, name } = node;
  const others = (await projects.list()).profiles.filter(({ id }) => id !== profile.id);
  if (others.length === 0) {
    void showInformation(vscode.l10n.t('There is no other project to compare with.'));
    return;
  }
  const other = await promptForProject(others);
  if (!other) return;
  const uri = definitionUri(profile, kind, name);
  const otherUri = definitionUri(other, kind, name);
  await documents.assign(uri, profile);
  await documents.assign(otherUri, other);
  const title = vscode.l10n.t('{0}: {1} ↔ {2}', name, profile.name, other.name);
  await vscode.commands.executeCommand('vscode.diff', uri, otherUri, title);
}

export async function countRows({ catalogs }: ObjectCommandParts, node: unknown): Promise<void> {
  if (!isObject(node)) return;
  await offeringRemedy(node, async () => {
    const count = await countRowsOf(catalogs, node.profile, node.name);
    const localCount = count.toLocaleString(vscode.env.language);
    void showInformation(vscode.l10n.t('{0} has {1} rows.', node.name, localCount));
  });
}

/** Drops an object after a confirmation that says what is lost with it. */
export async function dropObject({ clients, catalogs }: ObjectCommandParts, node: unknown): Promise<void> {
  if (!isObject(node)) return;
  await offeringRemedy(node, async () => {
    const { profile, kind, name } = node;
    const sql = `DROP ${kind.toUpperCase()} ${quoteIdentifier(name)}`;
    // A protection that only confirms is content with the question below.
    if (profile.protection === 'readOnly' && (await isRefused(profile, sql))) return;
    const drop = vscode.l10n.t('Drop');
    const question = dropQuestion(node);
    const detail = await dropConsequence(catalogs, node);
    if (!(await confirm(question, detail, drop))) return;
    const client = await clients.for(profile);
    await client.execSql(profile.projectId, { sql, params: null }, { idempotencyKey: randomUUID() });
    catalogs.for(profile).forget();
  });
}

async function isRefused(profile: Profile, sql: string): Promise<boolean> {
  const { refuseStatement } = await import('../running/running.ts');
  return refuseStatement(profile, sql);
}

function dropQuestion({ kind, name, profile }: ObjectNode): string {
  switch (kind) {
    case 'table':
      return vscode.l10n.t('Drop the table {0} of {1}?', name, profile.name);
    case 'view':
      return vscode.l10n.t('Drop the view {0} of {1}?', name, profile.name);
    case 'index':
      return vscode.l10n.t('Drop the index {0} of {1}?', name, profile.name);
    case 'trigger':
      return vscode.l10n.t('Drop the trigger {0} of {1}?', name, profile.name);
  }
}

async function dropConsequence(catalogs: Catalogs, node: ObjectNode): Promise<string> {
  const forGood = vscode.l10n.t('This cannot be undone.');
  if (node.kind !== 'table') return forGood;
  return `${await lostRowsMessage(catalogs, node)} ${forGood}`;
}

/** A table can be dropped although counting its rows fails or takes too long. */
async function lostRowsMessage(catalogs: Catalogs, { name, profile }: ObjectNode): Promise<string> {
  try {
    const count = await countRowsOf(catalogs, profile, name);
    return vscode.l10n.t('Its {0} rows go with it.', count.toLocaleString(vscode.env.language));
  } catch (thrown) {
    if (thrown instanceof vscode.CancellationError || isKeyFault(thrown)) throw thrown;
    return vscode.l10n.t('Its rows go with it; they could not be counted: {0}', errorMessage(thrown));
  }
}

const countRowsOf = (catalogs: Catalogs, profile: Profile, name: string): Promise<bigint> =>
  withProgress(vscode.l10n.t('Counting the rows of {0}…', name), signal =>
    catalogs.for(profile).rowCount(name, signal),
  );

export async function showStatus({ clients, catalogs }: ObjectCommandParts, node: unknown): Promise<void> {
  const { kind, profile } = (node ?? {}) as Partial<TreeNode & { readonly kind: 'project' }>;
  if (kind !== 'project' || !profile) return;
  try {
    const client = await clients.for(profile);
    const [status, tables] = await Promise.all([statusOf(client, profile), catalogs.for(profile).tables()]);
    void showInformation(statusMessage(profile.name, tables.length, status));
  } catch (thrown) {
    await offerRemedy(thrown, profile);
  }
}

function statusMessage(name: string, tableCount: number, status: ProjectStatus | undefined): string {
  if (!status) {
    return vscode.l10n.t('{0} has {1} tables. Its service does not tell whether it is active.', name, tableCount);
  }
  const state = status.isActive ? vscode.l10n.t('active') : vscode.l10n.t('not active');
  const fullState = status.status === '' || status.status === state ? state : `${state} (${status.status})`;
  const message = vscode.l10n.t('{0} is {1} and has {2} tables.', name, fullState, tableCount);
  return status.readOnlyReason === undefined ? message : `${message} ${status.readOnlyReason}`;
}

/** Undefined if the service does not tell. */
async function statusOf(client: Client, { projectId }: Profile): Promise<ProjectStatus | undefined> {
  try {
    return await client.projectStatus(projectId);
  } catch (thrown) {
    if (isMissingEndpoint(thrown)) return undefined;
    throw thrown;
  }
}

async function offeringRemedy({ profile }: ObjectNode, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (thrown) {
    if (!(thrown instanceof vscode.CancellationError)) await offerRemedy(thrown, profile);
  }
}
