import { existsSync } from 'node:fs';
import { asProjectError, misuse } from '../base/errors.ts';
import type { Project } from '../client/index.ts';
import { refusalOf } from '../model/importing/refusal.ts';
import { fileHash, isSourceChanged } from './fileRows.ts';
import { type MovedSchema, readMovedSchema, requireMovable, schemaText } from './movedSchema.ts';
import type { MovedTable } from './movedTable.ts';
import { fileExists, PartFile, requireCreatable } from './partFile.ts';
import { projectHash, projectTable, rowCells, type TransferParts } from './projectRows.ts';

interface DownloadOptions extends TransferParts {
  /** Identifies the project in the part file: no other project's download continues that file. */
  readonly source: string;
  readonly file: string;
}

/**
 * Writes a project into a database file. All tables are read twice. If both readings are equal, the file has the project as it
 * was at a moment between them.
 */
export async function download(options: DownloadOptions): Promise<void> {
  const { project, source, file } = options;
  if (existsSync(file)) throw fileExists(file);
  const schema = await readMovedSchema(project);
  requireMovable(schema);
  requireCreatable(schema);
  using part = PartFile.open(file);
  try {
    if (!part.begin(source, schema)) throw projectChanged();
    for (const table of schema.tables) await readRows(table, part, options);
    part.writeObjects(schema);
    await requireUnchanged(schema, part, options);
  } catch (thrown) {
    if (!isProjectChanged(thrown) && !(await isTableGone(thrown, schema, project))) throw thrown;
    await part.discard();
    throw projectChanged();
  }
  await part.finish();
}

async function readRows(table: MovedTable, part: PartFile, options: DownloadOptions): Promise<void> {
  const { progress } = options;
  const { place: from, hash, isDone } = part.stateOf(table);
  if (isDone || table.isIndexOfOther) return;
  let place = from;
  for await (const block of projectTable(table, options).blocks(from)) {
    const rows = rowCells(block);
    for (const cells of rows) hash.add(cells);
    place = block.placeAfter(rows.length - 1);
    part.write(table, rows, { place, hash, isDone: false });
    progress.rows('reading', table.name, { added: rows.length, total: hash.rowCount });
  }
  part.write(table, [], { place, hash, isDone: true });
  progress.table('reading', table.name, hash.rowCount);
}

/** Compares the hashes of the rows that were read with the rows of the project now, and with those of the file. */
async function requireUnchanged(schema: MovedSchema, part: PartFile, options: DownloadOptions): Promise<void> {
  const { project, progress } = options;
  for (const table of schema.tables) {
    if (table.isIndexOfOther) continue;
    const { hash } = part.stateOf(table);
    if (!hash.equals(await projectHash(table, options))) throw projectChanged();
    if (!hash.equals(await fileHash(part.database, table))) {
      const message = `The rows of the table '${table.name}' are not in the file as they were read. Check the disk, delete the file and try again.`;
      throw misuse('file_differs', message);
    }
    progress.table('checking', table.name, hash.rowCount);
  }
  if (schemaText(await readMovedSchema(project)) !== schemaText(schema)) throw projectChanged();
}

const projectChanged = () => misuse('project_changed', 'The project changed while it was read. Run the command again.');

/** Whether the rows that were read belong to different moments. */
const isProjectChanged = (thrown: unknown): boolean =>
  isSourceChanged(thrown) || asProjectError(thrown)?.code === 'project_changed';

/** Whether a statement was refused because a table is gone, or has other columns. */
async function isTableGone(thrown: unknown, schema: MovedSchema, project: Project): Promise<boolean> {
  if (refusalOf(thrown) !== 'rows') return false;
  return schemaText(await readMovedSchema(project)) !== schemaText(schema);
}
