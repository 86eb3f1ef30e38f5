import type { Stmt } from 'sqlite3-parser';
import { parseStatement } from '../parser/parser.ts';
import { tablesIn } from '../parser/walk.ts';
import { isSameName } from '../text/names.ts';
import { splitStatements } from '../text/splitter.ts';
import { dangersOf, type Danger } from './dangers.ts';
import { type NamedChange, namedChangeOf } from './namedChange.ts';
import { pragmaEffect } from './pragmas.ts';
import { touchedTables, type TouchedTable } from './touchedTables.ts';

/** `session` lasts as long as the connection: transactions, temporary objects, attached files, settings. */
export type EffectKind = 'read' | 'write' | 'schema' | 'session';

/** The part of a connection that a `session` statement changes. `rollback` is apart from `transaction` because it undoes. */
export type SessionPart = 'transaction' | 'rollback' | 'temporary' | 'attachment' | 'setting';

export interface StatementEffect {
  readonly kind: EffectKind;
  /** Set with the kind `session`. */
  readonly session?: SessionPart;
  /** The answer of sqlite3_stmt_readonly(): no database changes. For EXPLAIN it is the answer for the explained statement. */
  readonly readOnly: boolean;
  /** False when the text is not one statement of SQLite's grammar. Then the kind is `write`, whatever the text looks like. */
  readonly certain: boolean;
  readonly explains: boolean;
  readonly dangers: readonly Danger[];
  readonly tables: readonly TouchedTable[];
  /** Undefined for a statement that changes nothing, that names nothing, or that is uncertain. */
  readonly change: NamedChange | undefined;
  /** Whether the statement certainly returns no rows, whatever the database holds. */
  readonly givesNoRows: boolean;
}

/**
 * The effect of a statement on databases, by its tree. A text of several statements is uncertain, but it has the dangers
 * and the tables of all of them.
 */
export function effectOf(text: string): StatementEffect {
  const effects = splitStatements(text).map(({ start, end }) => effectOfRange(text, start, end));
  if (effects.length === 1) return effects[0]!;
  const dangers = new Set(effects.flatMap(effect => effect.dangers));
  return { ...uncertain, dangers: [...dangers], tables: effects.flatMap(({ tables }) => tables) };
}

/** Whether the statement certainly changes nothing, so that it may be sent twice. */
export const isRead = ({ kind, certain }: StatementEffect): boolean => certain && kind === 'read';

/** Whether the statement may change data, schema or files. An uncertain statement may. */
export const mayWrite = ({ kind, readOnly, dangers }: StatementEffect): boolean =>
  dangers.length > 0 || (kind !== 'read' && !readOnly);

/** Whether tables, views, indexes or triggers may have changed after the statement. */
export const mayChangeSchema = ({ kind, certain, dangers }: StatementEffect): boolean =>
  kind === 'schema' || !certain || dangers.includes('writesSchemaTable');

/** The part of a connection that a statement changes. Undefined if it needs no connection of its own. */
export const sessionPartOf = (statement: Stmt): SessionPart | undefined =>
  statement.type === 'ExplainStmt' ? undefined : accessOf(statement).session;

const uncertain = {
  kind: 'write',
  readOnly: false,
  certain: false,
  explains: false,
  dangers: [],
  change: undefined,
  givesNoRows: false,
} as const;

function effectOfRange(text: string, start: number, end: number): StatementEffect {
  const { ast, fault } = parseStatement(text, start, end);
  if (!ast) return { ...uncertain, tables: [] };
  const explains = ast.type === 'ExplainStmt';
  const statement = explains ? ast.stmt : ast;
  const tables = touchedTables(statement);
  const change = explains ? undefined : namedChangeOf(statement)?.change;
  const dangers = explains ? [] : dangersOf(statement, change);
  if (fault) return { ...uncertain, explains, dangers, tables };
  const access = accessOf(statement);
  const ownAccess: Access = explains ? { kind: 'read', readOnly: access.readOnly } : access;
  return { ...ownAccess, certain: true, explains, dangers, tables, change, givesNoRows: !mayGiveRows(ast) };
}

function mayGiveRows(statement: Stmt): boolean {
  if ('returning' in statement) return statement.returning !== undefined;
  return ['SelectStmt', 'ExplainStmt', 'PragmaStmt'].includes(statement.type);
}

type Access = Pick<StatementEffect, 'kind' | 'session' | 'readOnly'>;

const read: Access = { kind: 'read', readOnly: true };
const write: Access = { kind: 'write', readOnly: false };
const schemaWrite: Access = { kind: 'schema', readOnly: false };
/** SQLite writes temporary objects to a database of the connection, so it calls these statements writes. */
const temporaryWrite: Access = { kind: 'session', session: 'temporary', readOnly: false };

const sessionAccess = (session: SessionPart): Access => ({ kind: 'session', session, readOnly: true });

/** A statement of a kind that is not known to read counts as a write. */
function accessOf(statement: Stmt): Access {
  switch (statement.type) {
    case 'SelectStmt':
      return readsWritingTable(statement) ? write : read;
    case 'ExplainStmt':
      return accessOf(statement.stmt);
    case 'BeginStmt': {
      // BEGIN IMMEDIATE and BEGIN EXCLUSIVE take a write lock, so SQLite calls them writes.
      const isDeferred = statement.tx === undefined || statement.tx === 'Deferred';
      return { ...sessionAccess('transaction'), readOnly: isDeferred };
    }
    case 'CommitStmt':
    case 'SavepointStmt':
    case 'ReleaseStmt':
      return sessionAccess('transaction');
    case 'RollbackStmt':
      return sessionAccess('rollback');
    case 'AttachStmt':
    case 'DetachStmt':
      return sessionAccess('attachment');
    case 'PragmaStmt': {
      const kind = pragmaEffect(statement.name.objName.text, statement.body !== undefined);
      return { kind, readOnly: kind === 'read', ...(kind === 'session' && { session: 'setting' }) };
    }
    default: {
      const named = namedChangeOf(statement);
      if (!named || ['insert', 'update', 'delete'].includes(named.change.kind)) return write;
      const isTemporary = 'temporary' in statement && statement.temporary;
      return isTemporary || isSameName(named.name.dbName?.text ?? '', 'temp') ? temporaryWrite : schemaWrite;
    }
  }
}

/** `pragma_optimize` is the only table-valued function of SQLite that writes: it analyzes tables that have grown. */
const readsWritingTable = (statement: Stmt): boolean =>
  tablesIn(statement).some(({ objName }) => isSameName(objName.text, 'pragma_optimize'));
