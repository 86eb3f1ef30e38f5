import { randomInt, randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { type GeneratedTable, readGeneratedTable } from '../../model/generating/generatedTable.ts';
import type { GeneratedRows, GenerateRequest } from '../../model/generating/generateRows.ts';
import { generateInProcess } from '../../model/generating/process/generatorProcess.ts';
import { writtenColumns } from '../../model/generating/slots.ts';
import type { SourceOptions } from '../../model/importing/importOptions.ts';
import { hasJsonb } from '../../model/importing/jsonbSupport.ts';
import type { ImportPlan } from '../../model/importing/journal.ts';
import { readPreview } from '../../model/importing/preview.ts';
import { openSourceReader } from '../../model/importing/readers/openReader.ts';
import { SourceFile } from '../../model/importing/sourceFile.ts';
import type { Profile } from '../../model/profiles.ts';
import { isSameName } from '../../sql/text/names.ts';
import { type ProjectArgument, projectOfArgument } from '../commands/projectArgument.ts';
import { tableNameFor } from '../commands/tableCommands.ts';
import type { ProjectParts } from '../connections/projects.ts';
import { planProject, previewRows } from '../importing/importChoice.ts';
import { type Imports, type PreviewTabParts, showPreview } from '../importing/imports.ts';
import { refuseWrites } from '../importing/importRuns.ts';
import { showWarning } from '../notifications.ts';
import { confirm, tableLook } from '../questions.ts';
import { withNotification } from '../progress.ts';
import { placeOf } from '../projectAppearance.ts';
import { orRemedy } from '../remedies.ts';
import { type GenerateChoice, limitText, promptForGeneration } from './generateDialog.ts';
import { rowsText, rowsTitle } from '../numbers.ts';

interface GenerateRowsParts extends ProjectParts, PreviewTabParts {
  readonly imports: Imports;
  /** The path of the program that generates rows. */
  readonly generator: string;
}

/** Generates rows that fit a table, shows some of them, and adds them as an import does. */
export async function generateTableRows(parts: GenerateRowsParts, argument: ProjectArgument): Promise<void> {
  const { projects, clients, catalogs } = parts;
  const profile = await projectOfArgument(projects, argument);
  if (!profile) return;
  await orRemedy(profile, async () => {
    if (await refuseWrites(profile)) return;
    const title = vscode.l10n.t('Generate Rows in {0}', profile.name);
    const name = await tableNameFor(catalogs, profile, argument, title);
    if (name === undefined) return;
    const table = await readGeneratedTable((await clients.for(profile)).project(profile.projectId), name);
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    try {
      const choice = await chooseGeneration(parts, { profile, table, ended });
      if (!choice || (profile.protection === 'confirmWrites' && !(await confirmRows(profile, table, choice)))) return;
      const chosen = { ...table, choices: choice.columns };
      await addRows(parts, { profile, table: chosen, choice, path: await newFile(parts.imports) });
    } finally {
      end();
    }
  });
}

/** How an import reads the file of generated rows. */
const sourceOptionsOf = ({ name }: GeneratedTable): SourceOptions => ({
  format: 'sqlite',
  encoding: 'utf-8',
  delimiter: ',',
  quote: '"',
  hasHeader: true,
  nullText: null,
  table: name,
});

async function chooseGeneration(
  parts: GenerateRowsParts,
  { profile, table, ended }: { profile: Profile; table: GeneratedTable; ended: Promise<void> },
): Promise<GenerateChoice | undefined> {
  const withPreview = async (choice: Omit<GenerateChoice, 'preview'>): Promise<GenerateChoice> => {
    const { columns, seed } = choice;
    const count = Math.min(choice.count, previewRows);
    const request = { table: { ...table, choices: columns }, seed, count };
    return { ...choice, preview: await showFirstRows(parts, { profile, ended }, request) };
  };
  const seed = randomInt(1, 1_000_000);
  const initial = await withPreview({ columns: new Map(), count: 100, seed, stopsAtRejection: false });
  const { catalogs, clients } = parts;
  return promptForGeneration(initial, { table, profile, catalogs, clients, withPreview });
}

/** Shows the first rows among the results. Nothing is sent. */
async function showFirstRows(
  { imports, generator, results }: GenerateRowsParts,
  subject: { profile: Profile; ended: Promise<void> },
  request: Pick<GenerateRequest, 'table' | 'seed' | 'count'>,
): Promise<GeneratedRows> {
  const { table } = request;
  const path = await newFile(imports);
  try {
    const generated = await generateInProcess({ ...request, path }, { entry: generator });
    await using file = await SourceFile.open(path);
    const preview = await readPreview(
      await openSourceReader(file, sourceOptionsOf(table)),
      file.sizeBytes,
      previewRows,
    );
    const written = writtenColumns(table).map(({ name }) => name);
    const places = written.map(name => preview.columns.findIndex(other => isSameName(other, name)));
    const rows = preview.rows.map(({ line, cells }) => ({ line, cells: places.map(place => cells[place] ?? null) }));
    await showPreview({ results }, { ...preview, columns: written, rows }, { name: table.name, ...subject });
    return generated;
  } finally {
    await rm(path, { force: true });
  }
}

async function newFile({ folder }: Imports): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return join(folder, `${randomUUID()}.generated.db`);
}

interface Generation {
  readonly profile: Profile;
  readonly table: GeneratedTable;
  readonly choice: GenerateChoice;
  readonly path: string;
}

/** Writes the rows into a file, and the file into the table. */
async function addRows({ imports, generator }: GenerateRowsParts, generation: Generation): Promise<void> {
  const { profile, choice, path } = generation;
  let isStarted = false;
  try {
    const { limit, rowCount } = await generateFile(generator, generation);
    if (limit) {
      void showWarning(
        vscode.l10n.t('{0} were generated instead of {1}: {2}', rowsText(rowCount), choice.count, limitText(limit)),
      );
    }
    if (rowCount === 0) return;
    const plan = await planOf(imports, generation);
    isStarted = true;
    await imports.runs.start(profile, plan);
  } finally {
    if (!isStarted) await rm(path, { force: true });
  }
}

async function generateFile(entry: string, { table, choice, path }: Generation): Promise<GeneratedRows> {
  const { seed, count } = choice;
  return withNotification(vscode.l10n.t('Generating rows'), (progress, signal) => {
    const onProgress = (rowCount: number): void => progress.report({ message: rowsText(rowCount) });
    return generateInProcess({ table, seed, count, path, signal, onProgress }, { entry });
  });
}

async function planOf(imports: Imports, { profile, table, choice, path }: Generation): Promise<ImportPlan> {
  await using file = await SourceFile.open(path);
  const options = sourceOptionsOf(table);
  const { columns } = await openSourceReader(file, options);
  const written = writtenColumns(table).map(column => ({
    source: columns.findIndex(other => isSameName(other, column.name)),
    target: column.name,
  }));
  return {
    id: randomUUID(),
    work: 'generate',
    project: planProject(profile),
    source: {
      path,
      name: vscode.l10n.t('generated rows'),
      isCopy: true,
      fingerprint: await file.fingerprint(),
      options,
    },
    target: {
      table: table.name,
      mode: 'insert',
      columns: written,
      key: [],
      hasJsonb: await hasJsonb(imports.runs.sendTo(profile)),
    },
    stopsAtRejection: choice.stopsAtRejection,
    finish: [],
  };
}

async function confirmRows(profile: Profile, table: GeneratedTable, { count, seed }: GenerateChoice): Promise<boolean> {
  const question = vscode.l10n.t("Add {0} to '{1}' in {2}?", rowsText(count), table.name, placeOf(profile));
  const detail = [vscode.l10n.t('Generated with the seed {0}.', String(seed)), profile.baseUrl].join('\n\n');
  const deed = vscode.l10n.t('Add {0}', rowsTitle(count));
  return confirm(question, detail, tableLook(profile, table.name), deed);
}
