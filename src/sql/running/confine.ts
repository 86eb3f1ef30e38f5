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

/** An object of a schema, as others announce it, and the text that they say creates it. */
interface AnnouncedObject {
  readonly kind: ObjectKind;
  readonly name: string;
  /** The table or view that an index or a trigger belongs to. */
  readonly table: string;
  readonly sql: string;
}

type Authorizer = (
  action: number,
  first: string | null,
  second: string | null,
  schema: string | null,
  triggerOrView: string | null,
) => number;

/** A longer statement is no definition: services take statements of some megabytes at most. */
const maxStatementBytes = 16 * 1024 * 1024;

/** The answers and actions of sqlite3_set_authorizer() with their numbers. */
const allowed = 0;
const denied = 1;
const pragma = 19;
const createVirtualTable = 29;
const callFunction = 31;
/** ATTACH and DETACH. VACUUM attaches its file. */
const otherFileActions: ReadonlySet<number> = new Set([24, 25]);
/** CREATE INDEX, TABLE, TRIGGER and VIEW; DELETE, INSERT, READ, SELECT, UPDATE; REINDEX. Virtual tables need rows of their own. */
const creationActions: ReadonlySet<number> = new Set([1, 2, 7, 8, 9, 18, 20, 21, 23, 27]);
/** Modules read them when they create a table. */
const readPragmas: ReadonlySet<string> = new Set(['data_version', 'page_size']);
/** They load code, or read and write memory addresses. */
const refusedFunctions: ReadonlySet<string> = new Set(['load_extension', 'fts3_tokenizer']);
/** Modules whose arguments are names and options. FTS4 takes expressions, and runs them when it is read. */
const modules: ReadonlySet<string> = new Set(['fts5', 'fts5vocab', 'rtree', 'rtree_i32']);

const isRefusedFunction = (action: number, name: string | null): boolean =>
  action === callFunction && refusedFunctions.has(keyOf(name ?? ''));

/** For own statements: they stay in their database, and run nothing of a view or a trigger, which may have no end. */
const ownStatement: Authorizer = (action, _first, second, _schema, triggerOrView) =>
  otherFileActions.has(action) || triggerOrView !== null || isRefusedFunction(action, second) ? denied : allowed;

const ownStatementWithViews: Authorizer = (action, first, second, schema) =>
  ownStatement(action, first, second, schema, null);

/** For a text of others: it creates objects in the database itself, and nothing else. */
const creation: Authorizer = (action, first, second, schema, triggerOrView) => {
  if ((schema !== null && schema !== 'main') || triggerOrView !== null) return denied;
  if (action === pragma) return readPragmas.has(keyOf(first ?? '')) && second === null ? allowed : denied;
  if (action === createVirtualTable) return modules.has(keyOf(second ?? '')) ? allowed : denied;
  if (action === callFunction) return isRefusedFunction(action, second) ? denied : allowed;
  return creationActions.has(action) ? allowed : denied;
};

const authorizers = new WeakMap<Confinable, Authorizer>();

/** Keeps a connection within its database, whatever the schema there says. Throws where this SQLite cannot. */
export function confine<D extends Confinable>(database: D, { valueBytes, namesViews = false }: ConfinementOptions): D {
  const authorizer = namesViews ? ownStatementWithViews : ownStatement;
  try {
    Object.assign(database.limits, { attach: 0, length: valueBytes, sqlLength: maxStatementBytes });
    database.enableDefensive(true);
    database.exec('PRAGMA trusted_schema = OFF');
    database.setAuthorizer(authorizer);
  } catch (cause) {
    database.close();
    const message = 'SQLite of this program is too old to read the schema of others safely. Update VS Code or Node.js.';
    throw Object.assign(misuse('no_sqlite', message), { cause });
  }
  authorizers.set(database, authorizer);
  return database;
}

/** Runs a text of others on a confined connection, if it is one CREATE statement of the announced object and nothing else. */
export function createObject(database: Confinable, object: AnnouncedObject): void {
  const own = authorizers.get(database);
  if (!own) throw new Error('Confine the connection first.');
  const fault = creationFault(object);
  if (fault !== undefined)
    throw misuse('unsafe_definition', `The ${object.kind} '${object.name}' was not created: ${fault}`);
  database.setAuthorizer(creation);
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
  if (!isSame || !isSameName(ownerOf(ast) ?? table, table))
    return 'its definition is not one statement that creates it';
  const module = ast?.type === 'CreateVirtualTableStmt' ? ast.moduleName.text : undefined;
  return module === undefined || modules.has(keyOf(module)) ? undefined : `no such module: ${module}`;
}

function ownerOf(statement: ReturnType<typeof parseStatement>['ast']): string | undefined {
  if (statement?.type === 'CreateIndexStmt') return statement.tblName.text;
  return statement?.type === 'CreateTriggerStmt' ? statement.tblName.objName.text : undefined;
}
