import { constants, type DatabaseSync } from 'node:sqlite';

/** Bounds of one tenant's statements, in SQLite's own units. */
const limits = {
  attach: 0,
  length: 64_000_000,
  sqlLength: 4_000_000,
  exprDepth: 500,
  likePatternLength: 10_000,
} as const;

/** PRAGMAs that only tell, argument or not. Everything else may set something and is refused. */
const tellingPragmas = new Set(
  `collation_list compile_options foreign_key_check foreign_key_list function_list index_info index_list index_xinfo
   integrity_check module_list pragma_list quick_check table_info table_list table_xinfo`.split(/\s+/),
);
/** PRAGMAs that tell when asked without an argument. */
const readablePragmas = new Set(
  'application_id data_version encoding foreign_keys page_count page_size schema_version user_version'.split(' '),
);
/** What shows the pages of the file as they are, past all that is said of single tables. */
const rawTables = new Set(['dbstat', 'sqlite_dbpage']);
/** What loads code, and what shows and takes addresses in memory. */
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

const stateless = 'Each call stands alone, so nothing of this kind would outlive it.';
const refusals: Readonly<Record<number, string>> = {
  [constants.SQLITE_ATTACH]: 'ATTACH is not allowed: a project is one database.',
  [constants.SQLITE_DETACH]: 'DETACH is not allowed: a project is one database.',
  [constants.SQLITE_TRANSACTION]: `Transactions cannot span calls. ${stateless}`,
  [constants.SQLITE_SAVEPOINT]: `Savepoints cannot span calls. ${stateless}`,
  [constants.SQLITE_CREATE_TEMP_TABLE]: `Temporary tables are not kept. ${stateless}`,
  [constants.SQLITE_CREATE_TEMP_VIEW]: `Temporary views are not kept. ${stateless}`,
  [constants.SQLITE_CREATE_TEMP_INDEX]: `Temporary indexes are not kept. ${stateless}`,
  [constants.SQLITE_CREATE_TEMP_TRIGGER]: `Temporary triggers are not kept. ${stateless}`,
};

/** What an action is about, as SQLite's authorizer tells it. */
interface Subject {
  readonly first: string | null;
  readonly second: string | null;
  readonly database: string | null;
}

/** Keeps a connection within its own database, and notes what the statement being prepared wants. */
export class Guard {
  /** Whether the last statement wants to change something. */
  writes = false;
  #refusal: string | undefined;
  #trusting = false;

  constructor(database: DatabaseSync) {
    Object.assign(database.limits, limits);
    database.enableDefensive(true);
    database.setAuthorizer((action, first, second, name) => this.#judge(action, { first, second, database: name }));
  }

  /** Lets the service itself do what a tenant may not. */
  trust<T>(run: () => T): T {
    const before = this.#trusting;
    this.#trusting = true;
    try {
      return run();
    } finally {
      this.#trusting = before;
    }
  }

  reset(): void {
    this.writes = false;
  }

  /** Why something was refused, in words for its author. It is told once, of what failed by it: others fail for reasons of their own. */
  takeRefusal(): string | undefined {
    const refusal = this.#refusal;
    this.#refusal = undefined;
    return refusal;
  }

  #judge(action: number, subject: Subject): number {
    if (this.#trusting) return constants.SQLITE_OK;
    if (writes.has(action)) this.writes = true;
    const refusal = refusals[action] ?? this.#refusalOf(action, subject);
    if (refusal === undefined) return constants.SQLITE_OK;
    this.#refusal = refusal;
    return constants.SQLITE_DENY;
  }

  #refusalOf(action: number, { first, second, database }: Subject): string | undefined {
    // Whatever is made in the schema `temp`, by that name and without the word TEMP, begins with an entry in its catalogue.
    if (action === constants.SQLITE_INSERT && database === 'temp') return refusals[constants.SQLITE_CREATE_TEMP_TABLE];
    if (action === constants.SQLITE_READ && rawTables.has((first ?? '').toLowerCase())) {
      return `The table ${first} is not offered.`;
    }
    if (action === constants.SQLITE_PRAGMA) {
      const name = (first ?? '').toLowerCase();
      const allowed = tellingPragmas.has(name) || (readablePragmas.has(name) && second === null);
      return allowed ? undefined : `PRAGMA ${name} is not allowed here.`;
    }
    if (action === constants.SQLITE_FUNCTION && refusedFunctions.has((second ?? '').toLowerCase())) {
      return `The function ${second}() is not allowed.`;
    }
    if (action === constants.SQLITE_CREATE_VTABLE && !modules.has((second ?? '').toLowerCase())) {
      return `The module ${second ?? ''} is not offered.`;
    }
    return undefined;
  }
}
