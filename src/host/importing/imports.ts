import { randomUUID } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import * as vscode from 'vscode';
import { detectSource } from '../../model/importing/detection.ts';
import { hasJsonb } from '../../model/importing/jsonbSupport.ts';
import type { ImportPlan } from '../../model/importing/journal.ts';
import type { Preview } from '../../model/importing/preview.ts';
import { SourceFile } from '../../model/importing/sourceFile.ts';
import type { Profile } from '../../model/profiles.ts';
import { proposeColumns, proposeTable } from '../../model/importing/newTable.ts';
import { openSourceReader } from '../../model/importing/readers/openReader.ts';
import { type SourceValue, sqlOf } from '../../model/importing/sourceRow.ts';
import { type ProjectArgument, projectOfArgument } from '../commands/projectArgument.ts';
import type { TableDesigners } from '../designing/tableDesigners.ts';
import { placeOf } from '../projectAppearance.ts';
import { showInformation, showError } from '../notifications.ts';
import { confirm, fileLook, tableLook } from '../questions.ts';
import { offerRemedy } from '../remedies.ts';
import { rowsText, rowsTitle, numberText } from '../numbers.ts';
import { withProgress } from '../progress.ts';
import type { ResultsView } from '../results/resultsView.ts';
import { errorMessage } from '../errorMessages.ts';
import { chosenTable, type ImportChoice, planProject, withCreated, withSource, withTable } from './importChoice.ts';
import { promptForImport } from './importDialog.ts';
import { askForTable } from './importQuestions.ts';
import { modeDescription, modeName, reasonText } from './importTexts.ts';
import { ImportRuns, type ImportRunsParts, refuseWrites } from './importRuns.ts';
import { targetFault } from './targetItems.ts';

interface ImportsParts extends ImportRunsParts, PreviewTabParts {
  readonly designers: () => Promise<Pick<TableDesigners, 'createTable'>>;
  /** Holds the journals of imports and their copied files. */
  readonly folder: string;
}

const emptyPreview: ImportChoice['preview'] = { columns: [], rows: [], isComplete: true, estimatedRows: 0 };

/** Imports rows of files into tables, after asking how. */
export class Imports {
  readonly #parts: ImportsParts;
  readonly folder: string;
  readonly runs: ImportRuns;

  constructor(parts: ImportsParts) {
    this.#parts = parts;
    this.folder = parts.folder;
    this.runs = new ImportRuns(parts, this.folder);
  }

  /** Imports a file into the table or project of a command's argument. Without a file, the user chooses one. */
  async importFile(argument: ProjectArgument, file?: vscode.Uri): Promise<void> {
    await this.#import(argument, async () => {
      const chosen = file ?? (await promptForSource());
      return chosen && sourceOf(chosen, this.folder);
    });
  }

  /** Copies a file that only the browser has. Gives a function that imports the copy, which is removed afterwards. */
  async copyFile(file: vscode.DataTransferFile): Promise<((argument: ProjectArgument) => Promise<void>) | undefined> {
    const copy = await copyOf(file, this.folder);
    if (!copy) return undefined;
    return async argument => {
      const isStarted = await this.#import(argument, () => Promise.resolve(copy));
      if (!isStarted) await rm(copy.path, { force: true });
    };
  }

  async importClipboard(argument: ProjectArgument): Promise<void> {
    await this.#import(argument, async () => {
      const source = await clipboardSource(this.folder);
      if (!source) void showInformation(vscode.l10n.t('The clipboard has no text.'));
      return source;
    });
  }

  /** Whether the import has begun. If not, a copied source is removed. */
  async #import(argument: ProjectArgument, chooseSource: () => Promise<ImportSource | undefined>): Promise<boolean> {
    const profile = await projectOfArgument(this.#parts.projects, argument);
    if (!profile || (await refuseWrites(profile))) return false;
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    let source: ImportSource | undefined;
    let isStarted = false;
    try {
      source = await chooseSource();
      if (!source) return false;
      const plan = await this.#plan(profile, source, { argument, ended });
      if (!plan) return false;
      isStarted = true;
      await this.runs.start(profile, plan);
    } catch (thrown) {
      await offerRemedy(thrown, profile);
    } finally {
      end();
      if (source?.isCopy && !isStarted) await rm(source.path, { force: true });
    }
    return isStarted;
  }

  /** Asks how to import the file. Undefined when the user cancels. */
  async #plan(
    profile: Profile,
    source: ImportSource,
    { argument, ended }: { readonly argument: ProjectArgument; readonly ended: Promise<void> },
  ): Promise<ImportPlan | undefined> {
    await using file = await SourceFile.open(source.path);
    const initial = await this.#initialChoice(profile, file, source, argument);
    const preview = (choice: ImportChoice): void => {
      void showPreview(this.#parts, choice.preview, { name: source.name, profile, ended }).catch(() => undefined);
    };
    preview(initial);
    const choice = await promptForImport(initial, {
      source,
      file,
      profile,
      askForTable: before => this.#chooseTable(profile, before),
      showPreview: preview,
    });
    const complete = choice && (await this.#completeTarget({ profile, source, file }, choice));
    if (!complete) return undefined;
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    return {
      id: randomUUID(),
      work: 'import',
      project: planProject(profile),
      source: { ...source, fingerprint: await file.fingerprint(), options: complete.source },
      target: { ...complete.target, hasJsonb: await hasJsonb(this.runs.sendTo(profile)) },
      stopsAtRejection: complete.stopsAtRejection,
      finish: [],
    };
  }

  async #initialChoice(
    profile: Profile,
    file: SourceFile,
    source: ImportSource,
    argument: ProjectArgument,
  ): Promise<ImportChoice> {
    const options = await detectSource(file);
    const proposed = options.format === 'sqlite' ? options.table : tableNameOf(source.name);
    const argumentTable = typeof argument === 'object' && argument.kind === 'table' ? argument.name : undefined;
    const table = await chosenTable(this.#parts.catalogs.for(profile), argumentTable ?? proposed);
    const choice: ImportChoice = {
      source: options,
      preview: emptyPreview,
      table,
      target: { table: table.name, mode: 'insert', columns: [], key: [], hasJsonb: false, checksNumbers: true },
      stopsAtRejection: false,
    };
    return withSource(file, choice, options);
  }

  async #chooseTable(profile: Profile, choice: ImportChoice): Promise<ImportChoice | undefined> {
    const catalog = this.#parts.catalogs.for(profile);
    const name = await askForTable(await catalog.tables(), choice.table.name);
    return name === undefined ? undefined : withTable(choice, await chosenTable(catalog, name));
  }

  /** Asks first if the protection is `confirmWrites`, and creates a new table. Undefined when the import does not start. */
  async #completeTarget(
    { profile, source, file }: { profile: Profile; source: ImportSource; file: SourceFile },
    choice: ImportChoice,
  ): Promise<ImportChoice | undefined> {
    const confirmTarget = async ({ protection }: Profile, table: string): Promise<boolean> =>
      protection !== 'confirmWrites' || confirmImport(profile, source, choice, table);
    const { name } = choice.table;
    if (choice.table.columns) return (await confirmTarget(profile, name)) ? choice : undefined;
    const title = vscode.l10n.t("Reading all rows for the types of '{0}'", name);
    const columns = await withProgress(title, async signal =>
      proposeColumns(await openSourceReader(file, choice.source), signal),
    );
    const proposal = proposeTable(name, columns);
    const button = vscode.l10n.t('Create Table and Import');
    const created = await (
      await this.#parts.designers()
    ).createTable(profile, { proposal, button, confirm: confirmTarget });
    if (!created) return undefined;
    const fresh = await this.#parts.catalogs.for(profile).freshColumns(created.name);
    const complete = withCreated(choice, fresh, { proposal, created });
    const fault = targetFault(complete);
    if (fault !== undefined) throw new Error(fault);
    return complete;
  }
}

async function confirmImport(
  profile: Profile,
  source: ImportSource,
  { preview, target, table: { columns } }: ImportChoice,
  table: string,
): Promise<boolean> {
  const count = rowsText(preview.estimatedRows);
  const rows = preview.isComplete ? count : vscode.l10n.t('about {0}', count);
  const question = vscode.l10n.t("Import {0} into '{1}' in {2}?", rows, table, placeOf(profile));
  const mode = vscode.l10n.t('{0}: {1}', modeName(target.mode), modeDescription(target.mode));
  const look = columns === undefined ? fileLook(vscode.Uri.file(source.path)) : tableLook(profile, table);
  const deed = vscode.l10n.t('Import {0}', rowsTitle(preview.isComplete ? preview.estimatedRows : undefined));
  return confirm(question, [source.name, mode, profile.baseUrl].join('\n\n'), look, deed);
}

/** A table name made from the name of a file. */
const tableNameOf = (name: string): string =>
  name
    .replace(/\.[^.]*$/, '')
    .replaceAll(/[^\p{L}\p{N}_]+/gu, '_')
    .replaceAll(/^_+|_+$/g, '')
    .slice(0, 60) || 'rows';

export interface PreviewTabParts {
  readonly results: Pick<ResultsView, 'runParts' | 'show'>;
}

interface PreviewSubject {
  readonly name: string;
  readonly profile: Profile;
  /** Settles when the preview is of no more use. */
  readonly ended: Promise<void>;
}

/** Shows the first rows of a file as a tab among the results. A row that cannot be read shows why, in its first column. */
export async function showPreview(
  { results }: PreviewTabParts,
  { columns, rows, isComplete }: Preview,
  { name, profile, ended }: PreviewSubject,
): Promise<void> {
  if (columns.length === 0) return;
  const { ScriptLog } = await import('../../model/results/scriptLog.ts');
  const log = await ScriptLog.create({
    columns: columns.map(column => ({ name: column, type: '' })),
    ...(await results.runParts()),
    cancel: () => undefined,
  });
  for (const { cells, fault } of rows) log.append(fault ? [`⚠ ${reasonText(fault)}`] : cells.map(shownValue), 0);
  await log.end('done');
  const title = isComplete
    ? vscode.l10n.t('Preview of {0}', name)
    : vscode.l10n.t('Preview of {0} (first {1})', name, numberText(rows.length));
  await results.show(log, { profile, statement: '', title, ended });
}

function shownValue(cell: SourceValue): string | number | null {
  if (typeof cell === 'bigint') return String(cell);
  return cell instanceof Uint8Array ? sqlOf(cell) : cell;
}

export interface ImportSource {
  readonly path: string;
  /** The name that the user knows it by. */
  readonly name: string;
  /** Whether it is a copy that is removed with the import. */
  readonly isCopy: boolean;
}

/** Asks for the file. Undefined when the user cancels. */
async function promptForSource(): Promise<vscode.Uri | undefined> {
  const files = await vscode.window.showOpenDialog({
    title: vscode.l10n.t('Import Rows'),
    openLabel: vscode.l10n.t('Import'),
    canSelectMany: false,
    filters: {
      [vscode.l10n.t('Rows')]: ['csv', 'tsv', 'tab', 'txt', 'json', 'ndjson', 'jsonl', 'db', 'sqlite', 'sqlite3'],
      [vscode.l10n.t('All Files')]: ['*'],
    },
  });
  return files?.[0];
}

/** The file itself, or a local copy of a file of another file system. */
export async function sourceOf(file: vscode.Uri, folder: string): Promise<ImportSource> {
  const name = basename(file.path);
  if (file.scheme === 'file') return { path: file.fsPath, name, isCopy: false };
  const path = await copyPath(name, folder);
  await vscode.workspace.fs.copy(file, vscode.Uri.file(path));
  return { path, name, isCopy: true };
}

/** A copy of a file that only the browser has. Undefined if that fails; a message says so. */
export async function copyOf(file: vscode.DataTransferFile, folder: string): Promise<ImportSource | undefined> {
  const { name } = file;
  const path = await copyPath(name, folder);
  try {
    await writeFile(path, await file.data(), { mode: 0o600 });
    return { path, name, isCopy: true };
  } catch (thrown) {
    await rm(path, { force: true });
    const message = vscode.l10n.t(
      "'{0}' could not be copied from the browser. Drop it in the Explorer, and import it from there. {1}",
      name,
      errorMessage(thrown),
    );
    void showError(message);
    return undefined;
  }
}

/** Keeps only the ending, which may say the format: the rest of the name could be too long, or that of a journal. */
async function copyPath(name: string, folder: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const ending = /^\.\w{1,16}$/.exec(extname(name))?.[0] ?? '';
  return join(folder, `${randomUUID()}${ending}`);
}

/** Writes the text of the clipboard to a file, so that its import survives the window. Undefined if there is no text. */
async function clipboardSource(folder: string): Promise<ImportSource | undefined> {
  const text = await vscode.env.clipboard.readText();
  if (text.trim() === '') return undefined;
  const path = await copyPath('clipboard.rows', folder);
  await writeFile(path, text, { mode: 0o600 });
  return { path, name: vscode.l10n.t('the clipboard'), isCopy: true };
}
