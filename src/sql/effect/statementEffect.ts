import type { AstNode, Expr, QualifiedName, Stmt } from 'sqlite3-parser';
import { isAlwaysTrue } from './alwaysTrue.ts';
import { parseStatement } from '../parser/parser.ts';
import { pragmaEffect } from './pragmas.ts';
import { splitStatements } from '../text/splitter.ts';
import { touchedTables, type TouchedTable } from './touchedTables.ts';
import { walk } from '../parser/walk.ts';

/** `session` is what ends with the connection: a transaction's bounds, temporary objects, attached files, settings. */
export type EffectKind = 'read' | 'write' | 'schema' | 'session';

/** What of a connection a `session` statement is about. `rollback` is told from the other bounds of a transaction: it takes back. */
export type SessionPart = 'transaction' | 'rollback' | 'temporary' | 'attachment' | 'setting';

/** Why somebody may want to be asked before. */
export type Danger =
  'updatesEveryRow' | 'deletesEveryRow' | 'drops' | 'dropsColumn' | 'opensFile' | 'writesFile' | 'writesSchemaTable';

export interface StatementEffect {
  readonly kind: EffectKind;
  /** Set with the kind `session`. */
  readonly session?: SessionPart;
  /** What sqlite3_stmt_readonly() says: it surely changes no database. For EXPLAIN it speaks of what is explained. */
  readonly readOnly: boolean;
  /** False when the text is not one statement of SQLite's grammar. Then it counts as a write, whatever it looks like. */
  readonly certain: boolean;
  readonly explains: boolean;
  readonly dangers: readonly Danger[];
  readonly tables: readonly TouchedTable[];
}

/** What a statement does to databases, by its tree. Several in one text are no statement, but each adds what it would do. */
export function effectOf(text: string): StatementEffect {
  const effects = splitStatements(text).map(({ start, end }) => effectOfOne(text, start, end));
  if (effects.length === 1) return effects[0]!;
  const dangers = new Set(effects.flatMap(effect => effect.dangers));
  return { ...unknown, dangers: [...dangers], tables: effects.flatMap(({ tables }) => tables) };
}

function effectOfOne(text: string, start: number, end: number): StatementEffect {
  const { ast, fault } = parseStatement(text, start, end);
  if (!ast) return { ...unknown, tables: [] };
  const explains = ast.type === 'ExplainStmt';
  const statement = explains ? ast.stmt : ast;
  const tables = touchedTables(statement);
  const dangers = explains ? [] : dangersOf(statement);
  if (fault) return { ...unknown, explains, dangers, tables };
  const judgement = judge(statement);
  const kept: Judgement = explains ? { kind: 'read', readOnly: judgement.readOnly } : judgement;
  return { ...kept, certain: true, explains, dangers, tables };
}

const unknown = { kind: 'write', readOnly: false, certain: false, explains: false, dangers: [] } as const;

type Judgement = Pick<StatementEffect, 'kind' | 'session' | 'readOnly'>;

const reads: Judgement = { kind: 'read', readOnly: true };
const writes: Judgement = { kind: 'write', readOnly: false };
const changesSchema: Judgement = { kind: 'schema', readOnly: false };
/** Temporary objects are written to a database of the connection's own, which SQLite counts as well. */
const changesTemporary: Judgement = { kind: 'session', session: 'temporary', readOnly: false };
const changesSession = (session: SessionPart): Judgement => ({ kind: 'session', session, readOnly: true });

function judge(statement: Stmt): Judgement {
  switch (statement.type) {
    case 'SelectStmt':
      return hasWritingFunction(statement) ? writes : reads;
    case 'ExplainStmt':
      return judge(statement.stmt);
    case 'InsertStmt':
    case 'UpdateStmt':
    case 'DeleteStmt':
    case 'AnalyzeStmt':
    case 'ReindexStmt':
    case 'VacuumStmt':
      return writes;
    case 'CreateTableStmt':
      return statement.temporary ? changesTemporary : schemaChange(statement.tblName);
    case 'CreateViewStmt':
      return statement.temporary ? changesTemporary : schemaChange(statement.viewName);
    case 'CreateTriggerStmt':
      return statement.temporary ? changesTemporary : schemaChange(statement.triggerName);
    case 'CreateVirtualTableStmt':
    case 'AlterTableStmt':
    case 'DropTableStmt':
      return schemaChange(statement.tblName);
    case 'CreateIndexStmt':
    case 'DropIndexStmt':
      return schemaChange(statement.idxName);
    case 'DropTriggerStmt':
      return schemaChange(statement.triggerName);
    case 'DropViewStmt':
      return schemaChange(statement.viewName);
    case 'BeginStmt':
      return {
        ...changesSession('transaction'),
        readOnly: statement.tx === undefined || statement.tx === 'Deferred',
      };
    case 'CommitStmt':
    case 'SavepointStmt':
    case 'ReleaseStmt':
      return changesSession('transaction');
    case 'RollbackStmt':
      return changesSession('rollback');
    case 'AttachStmt':
    case 'DetachStmt':
      return changesSession('attachment');
    case 'PragmaStmt': {
      const kind = pragmaEffect(statement.name.objName.text, statement.body !== undefined);
      return { kind, readOnly: kind === 'read', ...(kind === 'session' ? { session: 'setting' } : {}) };
    }
  }
}

/** Of the table-valued functions that PRAGMAs are, this one alone writes: it analyzes tables that have grown. */
function hasWritingFunction(statement: Stmt): boolean {
  let found = false;
  walk(statement, ({ node }) => {
    const isTable = node.type === 'TableSelectTable' || node.type === 'TableCallSelectTable';
    const name = isTable ? node.tblName : node.type === 'InTableExpr' ? node.rhs : undefined;
    found ||= name?.objName.text.toLowerCase() === 'pragma_optimize';
    return !found;
  });
  return found;
}

function schemaChange({ dbName }: QualifiedName): Judgement {
  return dbName?.text.toLowerCase() === 'temp' ? changesTemporary : changesSchema;
}

function dangersOf(statement: Stmt): Danger[] {
  const dangers: Danger[] = [];
  switch (statement.type) {
    case 'UpdateStmt':
      if (!isBounded(statement)) dangers.push('updatesEveryRow');
      break;
    case 'DeleteStmt':
      if (!isBounded(statement)) dangers.push('deletesEveryRow');
      break;
    case 'DropTableStmt':
    case 'DropViewStmt':
    case 'DropIndexStmt':
    case 'DropTriggerStmt':
      return ['drops'];
    case 'AlterTableStmt':
      return statement.body.type === 'DropColumnAlterTableBody' ? ['dropsColumn'] : [];
    case 'AttachStmt':
      return ['opensFile'];
    case 'VacuumStmt':
      return statement.into ? ['writesFile'] : [];
    case 'PragmaStmt':
      return statement.body && statement.name.objName.text.toLowerCase() === 'writable_schema'
        ? ['writesSchemaTable']
        : [];
    default:
      break;
  }
  const target = targetOf(statement);
  if (target && /^sqlite_(?:temp_)?(?:schema|master)$/i.test(target.objName.text)) dangers.push('writesSchemaTable');
  return dangers;
}

function targetOf(statement: AstNode): QualifiedName | undefined {
  const { type } = statement;
  return type === 'InsertStmt' || type === 'UpdateStmt' || type === 'DeleteStmt' ? statement.tblName : undefined;
}

function isBounded({ whereClause, limit }: { whereClause: Expr | undefined; limit: unknown }): boolean {
  return limit !== undefined || (whereClause !== undefined && !isAlwaysTrue(whereClause));
}
