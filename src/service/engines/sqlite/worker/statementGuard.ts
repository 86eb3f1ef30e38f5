import { constants, type DatabaseSync } from 'node:sqlite';
import { keyOf } from '../../../../sql/text/names.ts';
import { sqliteLimits } from '../sqliteLimits.ts';
import { rowFunction } from './rowFeed.ts';

/** The limits of a tenant's statements, in SQLite's own units. */
const limits = {
  attach: 0,
  length: sqliteLimits.valueBytes,
  sqlLength: sqliteLimits.statementBytes,
  exprDepth: sqliteLimits.expressionDepth,
  likePatternLength: sqliteLimits.patternBytes,
} as const;

/** PRAGMAs that only read, with and without an argument. All others may set something and are refused. */
const readingPragmas = new Set(
  `collation_list compile_options foreign_key_check foreign_key_list function_list index_info index_list index_xinfo
   integrity_check module_list pragma_list quick_check table_info table_list table_xinfo`.split(/\s+/),
);
/** PRAGMAs that read without an argument, and set something with one. */
const settablePragmas = new Set(
  'application_id data_version encoding foreign_keys page_count page_size schema_version user_version'.split(' '),
);
/** Virtual tables that show the raw pages of the file. */
const rawTables = new Set(['dbstat', 'sqlite_dbpage']);
/** Functions that load code, or read and write memory addresses. */
const refusedFunctions = new Set(['load_extension', 'fts3_tokenizer']);
const modules = new Set(['fts5', 'fts5vocab', 'rtree', 'rtree_i32', 'json_each', 'json_tree']);

const writes = new Set<number>([
  constants.SQLITE_INSERT,
  constants.SQLITE_UPDATE,
  constants.SQLITE_DELETE,
  constants.SQLITE_CREATE_INDEX,
  constants.SQLITE_CREATE_TABLE,
  constants.SQLITE_CREATE_TRIGGER,
  constants.SQLITE_CREATE_VIEW,
  constants.SQLITE_CREATE_VTABLE,
  constants.SQLITE_DROP_INDEX,
  constants.SQLITE_DROP_TABLE,
  constants.SQLITE_DROP_TRIGGER,
  constants.SQLITE_DROP_VIEW,
  constants.SQLITE_DROP_VTABLE,
  constants.SQLITE_ALTER_TABLE,
  constants.SQLITE_ANALYZE,
  constants.SQLITE_REINDEX,
]);

const ownCommit = 'each call commits by itself. Put changes that belong together into one statement.';
const endsWithCall = 'They would end with their call. Leave TEMP out.';
const refusals: Readonly<Record<number, string>> = {
  [constants.SQLITE_ATTACH]:
    'ATTACH is not allowed: a project is one database. Send a separate statement to each project.',
  [constants.SQLITE_DETACH]: 'DETACH is not allowed: a project is one database. Leave it out.',
  [constants.SQLITE_TRANSACTION]: `Transactions cannot span calls: ${ownCommit}`,
  [constants.SQLITE_SAVEPOINT]: `Savepoints cannot span calls: ${ownCommit}`,
  [constants.SQLITE_CREATE_TEMP_TABLE]: `Temporary tables are not kept. ${endsWithCall}`,
  [constants.SQLITE_CREATE_TEMP_VIEW]: `Temporary views are not kept. ${endsWithCall}`,
  [constants.SQLITE_CREATE_TEMP_INDEX]: `Temporary indexes are not kept. ${endsWithCall}`,
  [constants.SQLITE_CREATE_TEMP_TRIGGER]: `Temporary triggers are not kept. ${endsWithCall}`,
};

/** The object of an action, as SQLite's authorizer names it. */
interface ActionObject {
  readonly first: string | null;
  readonly second: string | null;
  readonly database: string | null;
}

/** Keeps a connection within its own database, and notes whether the statement that is prepared writes. */
export class StatementGuard {
  writes = false;
  #refusal: string | undefined;
  #isTrusting = false;
  #isFeeding = false;

  constructor(database: DatabaseSync) {
    Object.assign(database.limits, limits);
    database.enableDefensive(true);
    database.setAuthorizer((action, first, second, name) => this.#authorize(action, { first, second, database: name }));
  }

  /** Runs work of the service itself, without the limits of a tenant. */
  trust<T>(work: () => T): T {
    const wasTrusting = this.#isTrusting;
    this.#isTrusting = true;
    try {
      return work();
    } finally {
      this.#isTrusting = wasTrusting;
    }
  }

  /** Prepares or runs a statement that calls the function for rows. */
  feed<T>(work: () => T): T {
    this.#isFeeding = true;
    try {
      return work();
    } finally {
      this.#isFeeding = false;
    }
  }

  /** Why the last statement was refused. Returns the reason only once: later statements fail for other reasons. */
  takeRefusal(): string | undefined {
    const refusal = this.#refusal;
    this.#refusal = undefined;
    return refusal;
  }

  #authorize(action: number, object: ActionObject): number {
    if (this.#isTrusting) return constants.SQLITE_OK;
    if (writes.has(action)) this.writes = true;
    const refusal = refusals[action] ?? this.#refusalOf(action, object);
    if (refusal === undefined) return constants.SQLITE_OK;
    this.#refusal = refusal;
    return constants.SQLITE_DENY;
  }

  #refusalOf(action: number, { first, second, database }: ActionObject): string | undefined {
    // `CREATE TABLE temp.t` without the word TEMP begins with an insert into the catalog of `temp`.
    if (action === constants.SQLITE_INSERT && database === 'temp') return refusals[constants.SQLITE_CREATE_TEMP_TABLE];
    if (action === constants.SQLITE_READ && rawTables.has(keyOf(first ?? ''))) {
      return `The table ${first} is not available.`;
    }
    if (action === constants.SQLITE_PRAGMA) {
      const name = keyOf(first ?? '');
      const allowed = readingPragmas.has(name) || (settablePragmas.has(name) && second === null);
      return allowed ? undefined : `PRAGMA ${name} is not allowed here.`;
    }
    const isRefused = (name: string): boolean =>
      refusedFunctions.has(name) || (name === rowFunction && !this.#isFeeding);
    if (action === constants.SQLITE_FUNCTION && isRefused(keyOf(second ?? ''))) {
      return `The function ${second}() is not allowed.`;
    }
    if (action === constants.SQLITE_CREATE_VTABLE && !modules.has(keyOf(second ?? ''))) {
      return `The module ${second ?? ''} is not available.`;
    }
    return undefined;
  }
}
