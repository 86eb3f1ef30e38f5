import * as vscode from 'vscode';
import type { Profile } from '../../model/profiles.ts';
import { migrationParts, type MigrationPart } from '../../model/shaping/migrationScript.ts';
import { differingOwners, diffSchemas, type OwnerDifference } from '../../model/shaping/schemaDiff.ts';
import { readSchemaEntries, type SchemaEntry } from '../../model/catalog/schemaEntries.ts';
import { type ProjectArgument, projectOfArgument } from '../commands/projectArgument.ts';
import type { WindowParts } from '../composition.ts';
import { promptForOtherProject } from '../connections/projectPrompts.ts';
import { definitionUri } from '../definitions/definitionDocuments.ts';
import { showInformation } from '../notifications.ts';
import { withProgress } from '../progress.ts';
import { offerRemedy, orRemedy } from '../remedies.ts';
import { l10n } from 'vscode';
import type { PlanWarning } from '../../model/shaping/plan.ts';
import { quoteIdentifierIfNeeded } from '../../sql/text/quoting.ts';
import { refusalText, warningText } from './planTexts.ts';

type CompareSchemasParts = Pick<WindowParts, 'projects' | 'clients' | 'catalogs' | 'documents'>;

/** An editor with more documents takes long to open, and nobody reads it. */
const maxDocuments = 100;

/** Shows the definitions that differ between two projects, and offers the scripts that make them equal. */
export async function compareSchemas(parts: CompareSchemasParts, argument: ProjectArgument): Promise<void> {
  const pair = await choosePair(parts, argument);
  if (!pair) return;
  const [profile, other] = pair;
  const schemas = await readBoth(parts, pair);
  if (!schemas) return;
  const owners = differingOwners(diffSchemas(...schemas), ...schemas);
  if (owners.length === 0) return showEqual(profile, other);
  await showDifferences(parts, pair, owners);
  const toProfile = vscode.l10n.t('Script for {0}', profile.name);
  const toOther = vscode.l10n.t('Script for {0}', other.name);
  const chosen = await showInformation(differenceMessage(owners, profile, other), toProfile, toOther);
  if (chosen === toProfile) await openScript(parts, pair);
  else if (chosen === toOther) await openScript(parts, [other, profile]);
}

/** Opens the statements that give a project the schema of another one. They are not run. */
export async function writeMigrationScript(parts: CompareSchemasParts, argument: ProjectArgument): Promise<void> {
  const pair = await choosePair(parts, argument);
  if (pair) await openScript(parts, pair);
}

type ProfilePair = readonly [profile: Profile, other: Profile];
type Schemas = readonly [from: SchemaEntry[], to: SchemaEntry[]];

async function choosePair(
  { projects }: CompareSchemasParts,
  argument: ProjectArgument,
): Promise<ProfilePair | undefined> {
  const profile = await projectOfArgument(projects, argument);
  if (!profile) return undefined;
  const other = await promptForOtherProject(projects, profile);
  return other && [profile, other];
}

/** Reads both schemas. Undefined if one cannot be read; a message says why. */
async function readBoth({ clients }: CompareSchemasParts, pair: ProfilePair): Promise<Schemas | undefined> {
  const schemas: SchemaEntry[][] = [];
  for (const profile of pair) {
    try {
      const client = await clients.for(profile);
      const title = vscode.l10n.t('Reading the schema of {0}…', profile.name);
      schemas.push(
        await withProgress(title, signal => readSchemaEntries(client.project(profile.projectId), { signal })),
      );
    } catch (thrown) {
      await offerRemedy(thrown, profile);
      return undefined;
    }
  }
  return [schemas[0]!, schemas[1]!];
}

async function showDifferences(
  { catalogs }: CompareSchemasParts,
  [profile, other]: ProfilePair,
  owners: readonly OwnerDifference[],
): Promise<void> {
  // The documents must show the definitions that were compared.
  catalogs.for(profile).forget();
  catalogs.for(other).forget();
  const resources: [vscode.Uri, vscode.Uri | undefined, vscode.Uri | undefined][] = [];
  for (const { kind, name, isInFrom, isInTo } of owners.slice(0, maxDocuments)) {
    const uri = definitionUri(profile, kind, name);
    const otherUri = definitionUri(other, kind, name);
    resources.push([isInTo ? otherUri : uri, isInFrom ? uri : undefined, isInTo ? otherUri : undefined]);
  }
  const title = vscode.l10n.t('Schemas: {0} ↔ {1}', profile.name, other.name);
  await vscode.commands.executeCommand('vscode.changes', title, resources);
}

function differenceMessage({ length }: readonly OwnerDifference[], profile: Profile, other: Profile): string {
  if (length > maxDocuments) {
    return vscode.l10n.t(
      "{0} tables and views differ between '{1}' and '{2}'. The editor shows the first {3}.",
      length,
      profile.name,
      other.name,
      maxDocuments,
    );
  }
  return length === 1
    ? vscode.l10n.t("1 table or view differs between '{0}' and '{1}'.", profile.name, other.name)
    : vscode.l10n.t("{0} tables and views differ between '{1}' and '{2}'.", length, profile.name, other.name);
}

async function openScript(parts: CompareSchemasParts, pair: ProfilePair): Promise<void> {
  const [profile, other] = pair;
  const schemas = await readBoth(parts, pair);
  if (!schemas) return;
  await orRemedy(profile, async () => {
    const migration = await migrationParts(...schemas);
    if (migration.length === 0) return showEqual(profile, other);
    const content = migrationText(migration, profile.name, other.name);
    const document = await vscode.workspace.openTextDocument({ language: 'sql', content });
    await parts.documents.assign(document.uri, profile);
    await vscode.window.showTextDocument(document, { preview: false });
  });
}

function showEqual(profile: Profile, other: Profile): void {
  void showInformation(vscode.l10n.t("The schemas of '{0}' and '{1}' are equal.", profile.name, other.name));
}

/** A script of statements and comments, to review before anyone runs it. */
export function migrationText(parts: readonly MigrationPart[], project: string, other: string): string {
  const head = [
    l10n.t("This script gives '{0}' the schema of '{1}'. Review it before you run it.", project, other),
    l10n.t('Each statement is committed at once. If one fails, do not run those after it.'),
    l10n.t('Statements that lose rows or values are comments. The script is right without them.'),
  ];
  return [comment(head.join('\n')), ...parts.map(part => partText(part, project))].join('\n');
}

function partText(part: MigrationPart, project: string): string {
  const notes = [
    titleOf(part, project),
    ...(part.renames ?? []).map(({ from, to }) =>
      l10n.t(
        "'{0}' is taken for '{1}', which has the same definition at the same place. Its values stay. Check that it is the same column.",
        from,
        to,
      ),
    ),
    ...part.refusals.map(refusal => refusalNote(refusal)),
    ...(part.lostSql === undefined ? [] : [l10n.t('Its statement, to create it again:'), `${part.lostSql};`]),
    ...part.warnings.map(warning => warningNote(warning)),
  ];
  const statements = part.statements.map(sql => `${sql};\n`).join('');
  return comment(notes.join('\n')) + (part.isCommentedOut ? comment(statements.trimEnd()) : statements);
}

/** Line breaks of any kind must not end a comment early. */
const comment = (text: string): string =>
  text
    .split(/\r\n|[\r\n\u2028\u2029]/)
    .map(line => `-- ${line}\n`)
    .join('');

function titleOf(
  { kind, object, name, isCommentedOut, lostSql, losesValues = false }: MigrationPart,
  project: string,
): string {
  const subject = `${object.toUpperCase()} ${quoteIdentifierIfNeeded(name)}`;
  switch (kind) {
    case 'create':
      return l10n.t('Create {0}.', subject);
    case 'change':
      return losesValues
        ? l10n.t('The rest of the change of {0} loses values. To make it, remove the comment marks.', subject)
        : l10n.t('Change {0}.', subject);
    case 'drop':
      if (lostSql !== undefined) {
        return l10n.t("Drop {1}, which only '{0}' has. It keeps a table from changing.", project, subject);
      }
      return isCommentedOut
        ? l10n.t("Only '{0}' has {1}. To drop it with everything in it, remove the comment marks.", project, subject)
        : l10n.t('Drop {0}. It is created again below.', subject);
  }
}

function refusalNote(refusal: MigrationPart['refusals'][number]): string {
  if (typeof refusal !== 'string') return refusalText(refusal);
  return refusal === 'virtualTable'
    ? l10n.t('SQLite cannot change a virtual table. These statements lose its rows.')
    : l10n.t('No statements that keep its rows are known. These statements lose its rows.');
}

function warningNote(warning: PlanWarning): string {
  const { countSql } = warning;
  const text = warningText(warning);
  return countSql === undefined ? text : l10n.t('{0} Count the rows with: {1}', text, countSql);
}
