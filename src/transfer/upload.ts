import type { DatabaseSync } from 'node:sqlite';
import { misuse } from '../base/errors.ts';
import { type Project, ServiceError } from '../client/index.ts';
import { rowCountOf, type Sequence } from '../model/catalog/catalogQueries.ts';
import type { SchemaEntry } from '../model/catalog/schemaEntries.ts';
import { hasJsonb } from '../model/importing/jsonbSupport.ts';
import { openDatabase } from '../model/importing/readers/sqliteReader.ts';
import { SourceFile } from '../model/importing/sourceFile.ts';
import { keyOf } from '../sql/text/names.ts';
import { fileHash, FileTable, isSourceChanged, queriedFile } from './fileRows.ts';
import { type MovedSchema, objectsAfterRows, readMovedSchema } from './movedSchema.ts';
import { rebuildSql } from './partFile.ts';
import { projectHash, type TransferParts } from './projectRows.ts';
import { RowSender, slicesTableSql } from './sentRows.ts';
import { type ServiceLimits, planUpload, type SendPlan } from './uploadChecks.ts';
import { isObjectRefused, slicesTable, UploadTarget } from './uploadState.ts';

interface UploadOptions extends TransferParts {
  readonly file: string;
}

/** Fills an empty project from a database file. A later command continues after the rows that the project has. */
export async function upload(options: UploadOptions): Promise<void> {
  const { project, file, signal, progress } = options;
  await using source = await SourceFile.open(file);
  const { hash } = await source.fingerprint();
  using database = await openDatabase(file);
  // Read the file as it is now: other programs cannot write to it, or their writes are not seen.
  database.exec('BEGIN');
  const schema = await readMovedSchema(queriedFile(database));
  const plans = planUpload(database, schema, await limitsOf(project, signal));
  const target = await UploadTarget.open(project, `${hash} ${source.sizeBytes}`, signal);
  if (target.phase === 'schema') await createTables(schema, plans, target);
  if (target.phase === 'rows') await sendRows(database, plans, target, options);
  await createObjects(schema, target);
  await requireSameRows(database, plans, options);
  await target.finish();
  progress.note('Every row of the file is in the project.');
}

/** The limits of the service, if it has the call for them. */
async function limitsOf(project: Project, signal: AbortSignal): Promise<ServiceLimits | undefined> {
  try {
    return (await project.status({ signal })).engine?.limits;
  } catch (thrown) {
    if (thrown instanceof ServiceError && (thrown.status === 404 || thrown.status === 405)) return undefined;
    throw thrown;
  }
}

/** Creates the tables. Tries all other objects while the tables are empty, so that a refusal comes early. */
async function createTables(schema: MovedSchema, plans: readonly SendPlan[], target: UploadTarget): Promise<void> {
  const tables = plans.map(({ table }) => table);
  const triedObjects = objectsAfterRows(schema);
  try {
    await target.create({ kind: 'table', name: slicesTable, table: slicesTable, sql: slicesTableSql });
    for (const object of [...tables, ...triedObjects]) await target.create(object);
  } catch (thrown) {
    if (!isObjectRefused(thrown)) throw thrown;
    // Empty the project again, so that another file can be tried.
    for (const object of [...tables, ...triedObjects].toReversed()) await target.drop(object);
    await target.finish();
    throw thrown;
  }
  for (const object of triedObjects.toReversed()) await target.drop(object);
  for (const index of parentIndexes(schema)) await target.create(index);
  await target.enter('rows');
}

/** A foreign key may need the unique index of its parent. Such an index is created before the rows. */
function parentIndexes({ tables, indexes }: MovedSchema): SchemaEntry[] {
  const parents = new Set(tables.flatMap(({ foreignKeys }) => foreignKeys.map(({ table }) => keyOf(table))));
  return indexes.filter(({ sql, table }) => parents.has(keyOf(table)) && /^\s*create\s+unique\b/i.test(sql));
}

async function sendRows(
  database: DatabaseSync,
  plans: readonly SendPlan[],
  target: UploadTarget,
  { project, progress, signal }: UploadOptions,
): Promise<void> {
  const isSupported = await hasJsonb(({ sql, params }, options) => project.sql(sql, params, options));
  const sender = new RowSender(target, progress, isSupported);
  for (const [nth, plan] of plans.entries()) {
    const { table, order } = plan;
    if (table.isIndexOfOther) continue;
    const rows = new FileTable(database, table, order);
    const from = await rows.placeAfter(Number(await rowCountOf(project, table.name, signal)));
    await sender.send({ plan, rows, nth, from });
  }
  await target.enter('objects');
}

async function createObjects(schema: MovedSchema, target: UploadTarget): Promise<void> {
  for (const sequence of schema.sequences) await setSequence(sequence, target);
  for (const { name, isIndexOfOther } of schema.tables) if (isIndexOfOther) await target.run(rebuildSql(name));
  for (const object of objectsAfterRows(schema)) await target.create(object);
}

async function setSequence({ table, number }: Sequence, target: UploadTarget): Promise<void> {
  await target.run('UPDATE sqlite_sequence SET seq = ? WHERE name = ?', [number, table]);
  await target.run(
    'INSERT INTO sqlite_sequence (name, seq) SELECT ?, ? WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = ?)',
    [table, number, table],
  );
}

/** Reads the rows of the project, and compares them with those of the file. */
async function requireSameRows(
  database: DatabaseSync,
  plans: readonly SendPlan[],
  options: UploadOptions,
): Promise<void> {
  const { progress } = options;
  for (const { table } of plans) {
    if (table.isIndexOfOther) continue;
    const sentHash = await fileHash(database, table);
    const storedHash = await projectHash(table, options).catch((thrown: unknown) => {
      throw isSourceChanged(thrown) ? rowsDiffer(table.name) : thrown;
    });
    if (!sentHash.equals(storedHash)) throw rowsDiffer(table.name);
    progress.table('checking', table.name, sentHash.rowCount);
  }
}

const rowsDiffer = (table: string) =>
  misuse(
    'rows_differ',
    `The table '${table}' of the project does not have the rows of the file. Somebody else writes to the project. Upload into another empty project.`,
  );
