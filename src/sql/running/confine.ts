import { misuse } from '../../base/errors.ts';
import { isSameName, keyOf } from '../text/names.ts';
import { splitStatements } from '../text/splitter.ts';
import type { ObjectKind } from '../effect/namedChange.ts';

/*
 * For schemas and files of others. `confine` the connection before you read anything, and run each definition with
 * `createObject`. `test/confinement.test.ts` lists the callers and refuses others.
 */

/** The used part of `DatabaseSync`. This folder does not know Node.js. */
interface Confinable {
  readonly limits: { attach: number; length: number; sqlLength: number };
  enableDefensive(active: boolean): void;
  setAuthorizer(authorizer: Authorizer): void;
  exec(sql: string): void;
  prepare(sql: string): { readonly sourceSQL: string; run(): unknown };
  close(): void;
}

interface Bounds {
  /** Longer texts and BLOBs fail. Otherwise an expression of a definition could fill the memory with one. */
  readonly valueBytes: number;
  /** Whether the caller's statements may name views. Only for a database without rows: a query of a view may never end. */
  readonly namesViews?: boolean;
  /** The keys of tables that nothing may read, not even a module. */
  readonly unread?: ReadonlySet<string>;
}

/** An object of a schema, as its sender describes it. */
interface AnnouncedObject {
  readonly kind: ObjectKind;
  readonly name: string;
  /** The table or view that an index or a trigger belongs to. */
  readonly table: string;
  readonly sql: string;
}

type Name = string | null;
/** The callback of sqlite3_set_authorizer(): 0 allows, 1 denies. */
type Authorizer = (action: number, first: Name, second: Name, schema: Name, triggerOrView: Name) => 0 | 1;

const maxStatementBytes = 16 * 1024 * 1024;
/** The action codes of the authorizer. VACUUM also attaches its file. */
const actions = {
  pragma: 19,
  read: 20,
  select: 21,
  attach: 24,
  detach: 25,
  createVirtualTable: 29,
  callFunction: 31,
} as const;
const creations: Readonly<Record<ObjectKind, readonly number[]>> = {
  index: [1],
  table: [2, 29],
  trigger: [7],
  view: [8],
};
/** CREATE INDEX, TABLE, TRIGGER, VIEW; DELETE, INSERT, READ, SELECT, UPDATE; REINDEX; functions. Modules need some of them. */
const neededActions: ReadonlySet<number> = new Set([1, 2, 7, 8, 9, 18, 20, 21, 23, 27, 31]);
/** These functions load code, or read and write memory addresses. */
const refusedFunctions: ReadonlySet<string> = new Set(['load_extension', 'fts3_tokenizer']);
/** Modules whose arguments are names and options. FTS4 takes expressions, and runs them when it is read. */
const safeModules: ReadonlySet<string> = new Set(['fts5', 'fts5vocab', 'rtree', 'rtree_i32']);

export const isSafeModule = (module: string): boolean => safeModules.has(keyOf(module));

const authorizers = new WeakMap<Confinable, Authorizer>();

/**
 * Keeps a connection within its database, whatever its schema says. The caller's statements run no view and no trigger: these
 * may never end. Throws if this version of SQLite cannot be confined.
 */
export function confine<D extends Confinable>(database: D, { valueBytes, namesViews, unread }: Bounds): D {
  const authorizer: Authorizer = (action, first, second, _schema, triggerOrView) => {
    const isRefused =
      (action === actions.callFunction && refusedFunctions.has(keyOf(second ?? ''))) ||
      (action === actions.read && unread?.has(keyOf(first ?? '')) === true);
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

/** Runs a definition on a confined connection, if it is one statement that creates the announced object and nothing else. */
export function createObject(database: Confinable, { kind, name, table, sql }: AnnouncedObject): void {
  const own = authorizers.get(database);
  if (!own) throw new Error('The connection is not confined.');
  let refusal: string | undefined;
  let isAnnounced = false;
  let isRunning = false;
  database.setAuthorizer((action, first, second, schema, triggerOrView) => {
    const isOfTable = kind === 'table' || kind === 'view' || isSameName(second ?? '', table);
    isAnnounced ||= creations[kind].includes(action) && isSameName(first ?? '', name) && isOfTable;
    const module = action === actions.createVirtualTable ? (second ?? '') : undefined;
    const isNeeded =
      (module !== undefined && isSafeModule(module)) ||
      (action === actions.pragma && /^(?:data_version|page_size)$/.test(first ?? '')) ||
      // A SELECT while preparing is the query of CREATE TABLE … AS. Modules run queries later.
      (neededActions.has(action) && (isRunning || action !== actions.select));
    if (isNeeded && (schema ?? 'main') === 'main' && own(action, first, second, schema, triggerOrView) === 0) return 0;
    refusal ??= module === undefined ? notOnlyCreated : `no such module: ${module}`;
    return 1;
  });
  try {
    const statement = database.prepare(sql);
    const rest = sql.slice(statement.sourceSQL.length);
    if (!isAnnounced || splitStatements(rest).length > 0) throw new Error(notOnlyCreated);
    isRunning = true;
    statement.run();
  } catch (thrown) {
    throw refusal === undefined ? thrown : new Error(refusal, { cause: thrown });
  } finally {
    database.setAuthorizer(own);
  }
}

const notOnlyCreated = 'its definition is not one statement that only creates it';
