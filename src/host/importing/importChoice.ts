import { isSameName } from '../../sql/text/names.ts';
import type { Catalog, CatalogColumn } from '../../model/catalog/catalog.ts';
import type { ImportTarget, SourceOptions } from '../../model/importing/importOptions.ts';
import type { ImportPlan } from '../../model/importing/journal.ts';
import { importableColumns, mapColumns, proposedKey } from '../../model/importing/mapping.ts';
import { openSourceReader } from '../../model/importing/readers/openReader.ts';
import { type Preview, readPreview } from '../../model/importing/preview.ts';
import type { SourceFile } from '../../model/importing/sourceFile.ts';
import type { Profile } from '../../model/profiles.ts';
import type { TableDesign } from '../../protocol/tableDesign.ts';

export const previewRows = 100;

export interface ChosenTable {
  readonly name: string;
  /** Undefined for a table that is created with the import. */
  readonly columns: readonly CatalogColumn[] | undefined;
}

/** The table that takes the rows, and how they are written. */
export interface TargetChoice {
  readonly table: ChosenTable;
  readonly target: ImportTarget;
}

export interface ImportChoice extends TargetChoice {
  readonly source: SourceOptions;
  readonly preview: Preview;
  readonly stopsAtRejection: boolean;
}

/** Reads the file with other options, and maps the columns again if they differ. Throws if the file cannot be read so. */
export async function withSource(file: SourceFile, choice: ImportChoice, source: SourceOptions): Promise<ImportChoice> {
  const preview = await readPreview(await openSourceReader(file, source), file.sizeBytes, previewRows);
  const changed = { ...choice, source, preview };
  const isSame =
    hasNames(source) === hasNames(choice.source) &&
    JSON.stringify(preview.columns) === JSON.stringify(choice.preview.columns);
  return isSame ? changed : withTable(changed, choice.table);
}

/** Chooses another table, and maps the columns of the file to its columns. */
export function withTable(choice: ImportChoice, table: ChosenTable): ImportChoice {
  const { source, preview } = choice;
  return { ...choice, table, target: { ...choice.target, ...targetIn(table, preview.columns, hasNames(source)) } };
}

/** Takes the table that was created from a proposal. The ids of its columns tell which columns of the file they are. */
export function withCreated(
  choice: ImportChoice,
  columns: readonly CatalogColumn[],
  { proposal, created }: { readonly proposal: TableDesign; readonly created: TableDesign },
): ImportChoice {
  const table = { name: created.name, columns };
  const mapped = proposal.columns.flatMap(({ id }, source) => {
    const target = created.columns.find(column => column.id === id)?.name;
    const column = importableColumns(columns).find(({ name }) => name === target);
    return column ? [{ source, target: column.name, type: column.type }] : [];
  });
  const target = { ...choice.target, table: table.name, columns: mapped, key: proposedKey(columns, mapped) };
  return { ...choice, table, target };
}

/** Maps columns of rows to those of a table: by their names, or else by their order. A new table gets the same columns. */
export function targetIn(
  table: ChosenTable,
  names: readonly string[],
  byName: boolean,
): Pick<ImportTarget, 'table' | 'columns' | 'key'> {
  const columns = table.columns
    ? mapColumns(names, table.columns, byName)
    : names.map((target, index) => ({ source: index, target }));
  const key = table.columns ? proposedKey(table.columns, columns) : [];
  return { table: table.name, columns, key };
}

/** The table of this name with its present columns, or a new one. */
export async function chosenTable(catalog: Catalog, name: string): Promise<ChosenTable> {
  const existingTable = (await catalog.tables()).find(table => isSameName(table, name));
  if (existingTable === undefined) return { name: name.trim(), columns: undefined };
  return { name: existingTable, columns: await catalog.freshColumns(existingTable) };
}

/** Names a project in the plan of an import. */
export const planProject = ({ id, name, baseUrl, projectId }: Profile): ImportPlan['project'] => ({
  profileId: id,
  name,
  baseUrl,
  projectId,
});

const hasNames = ({ hasHeader, format }: SourceOptions): boolean => hasHeader || (format !== 'csv' && format !== 'tsv');
