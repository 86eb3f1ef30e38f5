import { misuse } from '../../base/errors.ts';
import { parseStatement } from '../parser/parser.ts';
import { isSameName, keyOf } from '../text/names.ts';
import { createdObject, type ObjectKind } from './namedChange.ts';

/*
 * Texts of a service, a file or a schema run on this machine in one way only:
 *
 *     const database = confine(new DatabaseSync(file), { valueBytes });       // before anything of the file is read
 *     createObject(database, { kind: 'table', name: 't', table: 't', sql });  // runs a text of others
 *
 * `test/confinement.test.ts` lists the callers and refuses others.
 */

/** The part of a `DatabaseSync` that is confined: this folder does not know Node.js. */
interface Confinable {
  readonly limits: { attach: number; length: number; sqlLength: number };
  enableDefensive(active: boolean): void;
  setAuthorizer(authorizer: Authorizer): void;
  exec(sql: string): void;
  prepare(sql: string): { run(): unknown };
  close(): void;
}

interface ConfinementOptions {
  /** Longer texts and BLOBs fail: an expression of a definition could fill the memory with one. */
  readonly valueBytes: number;
  /** Whether own statements may name views. Only for a database without rows: a query of a view may never end. */
  readonly namesViews?: boolean;
}

/** An object of a schema, as others announce it. */
interface AnnouncedObject {
  readonly kind: ObjectKind;
  readonly name: string;
  /** The table or view that an index or a trigger belongs to. */
  readonly table: string;
  readonly sql: string;
}

/** The callback of sqlite3_set_authorizer(): 0 allows, 1 denies. Two details, the database, and the trigger or view follow. */
type Authorizer = (action: number, ...names: [Name, Name, Name, Name]) => 0 | 1;
type Name = string | null;

const maxStatementBytes = 16 * 1024 * 1024;
/** Actions of an authorizer. VACUUM attaches its file. */
const actions = { pragma: 19, attach: 24, detach: 25, createVirtualTable: 29, callFunction: 31 } as const;
/** CREATE INDEX, TABLE, TRIGGER and VIEW; DELETE, INSERT, READ, SELECT, UPDATE; REINDEX. */
const creationActions: ReadonlySet<number> = new Set([1, 2, 7, 8, 9, 18, 20, 21, 23, 27]);
/** They load code, or read and write memory addresses. */
const refusedFunctions: ReadonlySet<string> = new Set(['load_extension', 'fts3_tokenizer']);
/** Modules whose arguments are names and options. FTS4 takes expressions, and runs them when it is read. */
const modules: ReadonlySet<string> = new Set(['fts5', 'fts5vocab', 'rtree', 'rtree_i32']);

const authorizers = new WeakMap<Confinable, Authorizer>();

/**
 * Keeps a connection within its database, whatever the schema there says. Own statements run nothing of views and triggers, which
 * may have no end. Throws where this SQLite cannot be confined.
 */
export function confine<D extends Confinable>(database: D, { valueBytes, namesViews }: ConfinementOptions): D {
  const authorizer: Authorizer = (action, _first, second, _schema, triggerOrView) => {
    const isRefused = action === actions.callFunction && refusedFunctions.has(keyOf(second ?? ''));
    const isElsewhere = action === actions.attach || action === actions.detach;
    return isRefused || isElsewhere || (triggerOrView !== null && namesViews !== true) ? 1 : 0;
  };
  try {
    Object.assign(database.limits, { attach: 0, length: valueBytes, sqlLength: maxStatementBytes });
    database.enableDefensive(true);
    database.exec('PRAGMA trusted_schema = OFF');
    database.setAuthorizer(authorizer);
  } catch (cause) {
    database.close();
    const message = 'This version of VS Code or Node.js is too old to use SQLite safely. Update it.';
    throw Object.assign(misuse('no_sqlite', message), { cause });
  }
  authorizers.set(database, authorizer);
  return database;
}

/** Runs a text of others on a confined connection, if it is one CREATE statement of the announced object and nothing else. */
export function createObject(database: Confinable, object: AnnouncedObject): void {
  const own = authorizers.get(database);
  const fault = own ? creationFault(object) : 'the connection is not confined';
  if (!own || fault !== undefined) throw new Error(fault);
  database.setAuthorizer((action, first, second, schema, triggerOrView) => {
    const isNeeded =
      creationActions.has(action) ||
      action === actions.callFunction ||
      (action === actions.createVirtualTable && modules.has(keyOf(second ?? ''))) ||
      (action === actions.pragma && /^(?:data_version|page_size)$/.test(first ?? ''));
    return isNeeded && (schema ?? 'main') === 'main' ? own(action, first, second, schema, triggerOrView) : 1;
  });
  try {
    database.prepare(object.sql).run();
  } finally {
    database.setAuthorizer(own);
  }
}

/** Why a text is not one CREATE statement of the announced object. CREATE TABLE … AS is none: it runs a query. */
export function creationFault({ kind, name, table, sql }: AnnouncedObject): string | undefined {
  const created = sql.includes('\0') ? undefined : createdObject(sql);
  const { ast } = parseStatement(sql);
  const isQuery = ast?.type === 'CreateTableStmt' && ast.body.type === 'AsSelectCreateTableBody';
  const isTemporary = ast !== undefined && 'temporary' in ast && ast.temporary;
  const isSame = created?.object === kind && isSameName(created.name, name) && !isQuery && !isTemporary;
  const owner =
    ast?.type === 'CreateIndexStmt' ? ast.tblName : ast?.type === 'CreateTriggerStmt' && ast.tblName.objName;
  if (!isSame || (owner && !isSameName(owner.text, table)))
    return 'its definition is not one statement that creates it';
  const module = ast?.type === 'CreateVirtualTableStmt' ? ast.moduleName.text : undefined;
  return module === undefined || modules.has(keyOf(module)) ? undefined : `no such module: ${module}`;
}
