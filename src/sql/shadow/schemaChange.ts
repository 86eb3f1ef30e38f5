import { type Steps, visitInSteps } from '../../base/turns.ts';
import { hasAutoincrement, sequenceTables, statisticsTables } from './automaticTables.ts';
import { type DdlStatement, ddlStatementOf } from './ddlStatement.ts';
import { type DatabaseName, type SchemaObject, schemaTypeOf } from './schemaObject.ts';
import type { SchemaState } from './schemaState.ts';
import { shadowTablesInEngine, shadowTablesOf } from './virtualTables.ts';

export interface SchemaChange {
  readonly removed: readonly SchemaObject[];
  readonly added: readonly SchemaObject[];
}

export const noSchemaChange: SchemaChange = { removed: [], added: [] };

export const isEmptyChange = ({ removed, added }: SchemaChange): boolean => removed.length + added.length === 0;

/** The object of a CREATE statement. An index or trigger of a temporary table is temporary by default. */
export function objectInDatabase(
  { object, namesDatabase }: Extract<DdlStatement, { kind: 'create' }>,
  state: SchemaState,
): SchemaObject {
  const { owner, database } = object;
  if (owner === undefined || namesDatabase || database === 'temp') return object;
  return hasTemporaryTable(owner, state) ? { ...object, database: 'temp' } : object;
}

/** The change by CREATE. A taken name changes nothing: IF NOT EXISTS allows it. */
export function creation(object: SchemaObject, state: SchemaState): SchemaChange {
  if (isNameTaken(object, state)) return noSchemaChange;
  const sequenceTable = sequenceTables[object.database];
  const needsSequenceTable = hasAutoincrement(object) && !exists(sequenceTable, state);
  return { removed: [], added: needsSequenceTable ? [object, sequenceTable] : [object] };
}

/** The change by ALTER. A new name that is taken changes nothing: SQLite refuses it. */
export function alteration(change: SchemaChange, state: SchemaState): SchemaChange {
  return change.added.some(object => isNameTaken(object, state, change.removed)) ? noSchemaChange : change;
}

function isNameTaken(object: SchemaObject, state: SchemaState, removed: readonly SchemaObject[] = []): boolean {
  return state
    .named(object.name)
    .some(
      other => other.database === object.database && isTrigger(other) === isTrigger(object) && !removed.includes(other),
    );
}

/** The change by ANALYZE: it creates the table of statistics in the database of the analyzed table. */
export function analysis(
  { database, name }: Extract<DdlStatement, { kind: 'analyze' }>,
  state: SchemaState,
): SchemaChange {
  const isTemporary =
    database === undefined && name !== undefined && (name === 'temp' || hasTemporaryTable(name, state));
  const tableDatabase: DatabaseName = isTemporary ? 'temp' : (database ?? 'main');
  const table = statisticsTables[tableDatabase];
  return exists(table, state) ? noSchemaChange : { removed: [], added: [table] };
}

function exists({ name, database }: SchemaObject, state: SchemaState): boolean {
  return state.named(name).some(object => object.database === database);
}

/** The change by DROP. A temporary object hides another one with its name. A table takes its indexes and triggers along. */
export function removal(
  { keyword, database, name }: Extract<DdlStatement, { kind: 'drop' }>,
  state: SchemaState,
): SchemaChange {
  const candidates = state
    .named(name)
    .filter(object => (database ?? object.database) === object.database)
    .filter(({ kind }) => schemaTypeOf(kind).toUpperCase() === keyword);
  const dropped = candidates.find(object => object.database === 'temp') ?? candidates[0];
  if (!dropped) return noSchemaChange;
  if (dropped.owner !== undefined) return { removed: [dropped], added: [] };
  // A temporary trigger may belong to a table of the main database.
  const belongsToDropped = (object: SchemaObject): boolean =>
    object.database === dropped.database || (isTrigger(object) && !hasTemporaryTable(dropped.name, state));
  const shadowTables = shadowTablesOf(dropped).flatMap(table =>
    state.named(table).filter(({ kind }) => kind === 'table'),
  );
  const owned = [...shadowTables, ...state.ownedBy(dropped.name)].filter(belongsToDropped);
  return { removed: [dropped, ...owned], added: [] };
}

/** Adds the names on which a statement's change depends to `mentioned`. Undefined for ALTER, which depends on all names. */
export function changeDependencies(statement: string, mentioned: ReadonlySet<string>): ReadonlySet<string> | undefined {
  const kind = ddlStatementOf(statement)?.kind;
  if (kind === undefined) return mentioned;
  return kind === 'alter' ? undefined : new Set([...mentioned, sequenceTables.main.name, statisticsTables.main.name]);
}

function hasTemporaryTable(name: string, state: SchemaState): boolean {
  return state.named(name).some(({ owner, database }) => owner === undefined && database === 'temp');
}

/** The objects of a project's schema, without the tables that the engine creates by itself. */
export function* projectObjects(listed: readonly SchemaObject[]): Steps<SchemaObject[]> {
  const sequenceTable = sequenceTables.main;
  const statisticsTable = statisticsTables.main;
  const automatic = new Set([sequenceTable.name, statisticsTable.name]);
  const listedNames = new Set<string>();
  yield* visitInSteps(listed, object => {
    listedNames.add(object.name);
    if (object.kind === 'virtual') for (const table of shadowTablesInEngine(object)) automatic.add(table);
  });
  let needsSequence = listedNames.has(sequenceTable.name);
  const objects: SchemaObject[] = [];
  yield* visitInSteps(listed, object => {
    if (object.kind === 'table' && automatic.has(object.name)) return;
    objects.push(object);
    needsSequence ||= hasAutoincrement(object);
  });
  if (needsSequence) objects.push(sequenceTable);
  if (listedNames.has(statisticsTable.name)) objects.push(statisticsTable);
  return objects;
}

const isTrigger = ({ kind }: SchemaObject): boolean => kind === 'trigger';
