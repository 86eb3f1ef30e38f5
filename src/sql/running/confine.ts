import { misuse } from '../../base/errors.ts';
import { foldAscii } from '../../base/foldAscii.ts';

/*
 * A schema or a file of others: `confine` the connection before anything is read, and run each definition with `createObject`.
 * `test/confinement.test.ts` lists the callers and refuses others.
 */

/** The part of a `DatabaseSync` that is confined: this folder does not know Node.js. */
export interface Confinable {
  readonly limits: { attach: number; length: number; sqlLength: number };
  enableDefensive(active: boolean): void;
  setAuthorizer(authorizer: Authorizer): void;
  exec(sql: string): void;
  prepare(sql: string): { run(): unknown };
  close(): void;
}

interface Bounds {
  /** Longer texts and BLOBs fail: an expression of a definition could fill the memory with one. */
  readonly valueBytes: number;
  /** Whether own statements may name views. Only for a database without rows: a query of a view may never end. */
  readonly namesViews?: boolean;
}

type Name = string | null;
/** The callback of sqlite3_set_authorizer(): 0 allows, 1 denies. */
type Authorizer = (action: number, first: Name, second: Name, schema: Name, triggerOrView: Name) => 0 | 1;

const maxStatementBytes = 16 * 1024 * 1024;
/** Actions of an authorizer. VACUUM attaches its file. */
export const actions = { pragma: 19, attach: 24, detach: 25, createVirtualTable: 29, callFunction: 31 } as const;
/** They load code, or read and write memory addresses. */
const refusedFunctions: ReadonlySet<string> = new Set(['load_extension', 'fts3_tokenizer']);

const authorizers = new WeakMap<Confinable, Authorizer>();

/**
 * Keeps a connection within its database, whatever the schema there says. Own statements run nothing of views and triggers, which
 * may have no end. Throws where this SQLite cannot be confined.
 */
export function confine<D extends Confinable>(database: D, { valueBytes, namesViews }: Bounds): D {
  const authorizer: Authorizer = (action, _first, second, _schema, triggerOrView) => {
    const isRefused = action === actions.callFunction && refusedFunctions.has(foldAscii(second ?? ''));
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

/** Runs something on a confined connection that allows only what `isNeeded` does meanwhile. */
export function runNarrowed(
  database: Confinable,
  isNeeded: (...asked: Parameters<Authorizer>) => boolean,
  run: () => void,
): void {
  const own = authorizers.get(database);
  if (!own) throw new Error('the connection is not confined');
  database.setAuthorizer((...asked) => (isNeeded(...asked) ? own(...asked) : 1));
  try {
    run();
  } finally {
    database.setAuthorizer(own);
  }
}
