import init, { type Sqlite3Static } from '@sqlite.org/sqlite-wasm';
import type { Clock } from '../../base/clock.ts';
import type { ResultColumn, ShadowUse } from './shadowReport.ts';

/** `interrupted`: the call took too long. `broken`: the engine cannot be used any more. */
export type ExecuteResult =
  | { readonly kind: 'ok' }
  | {
      readonly kind: 'error';
      readonly message: string;
      /** In UTF-16 units; -1 when SQLite reports no offset. */
      readonly offset: number;
    }
  | { readonly kind: 'interrupted' }
  | { readonly kind: 'broken' };

type PrepareResult =
  | Exclude<ExecuteResult, { kind: 'ok' }>
  | {
      readonly kind: 'prepared';
      readonly columns: readonly ResultColumn[];
      readonly readOnly: boolean;
      readonly uses: readonly ShadowUse[];
    };

/** The package declares no parameters, but passes its options on to Emscripten. Emscripten reads the binary from them. */
const loadSqlite = init as unknown as (options: {
  wasmBinary: Uint8Array;
  print: () => void;
  printErr: () => void;
}) => Promise<Sqlite3Static>;

/** The functions that every statement needs. The package's own versions convert their arguments, which is slow. */
interface RawFunctions {
  sqlite3_exec(db: number, sql: number, callback: number, context: number, message: number): number;
  sqlite3_prepare_v3(db: number, sql: number, length: number, flags: number, statement: number, tail: number): number;
  sqlite3_step(statement: number): number;
  sqlite3_finalize(statement: number): number;
  sqlite3_stmt_readonly(statement: number): number;
  sqlite3_column_count(statement: number): number;
  sqlite3_column_text(statement: number, index: number): number;
  sqlite3_column_name(statement: number, index: number): number;
  sqlite3_column_table_name(statement: number, index: number): number;
  sqlite3_column_origin_name(statement: number, index: number): number;
  sqlite3_column_decltype(statement: number, index: number): number;
}

/** SQLite calls the progress handler after this many steps. One step of preparing can be a whole subquery. */
const stepsPerProgressCall = 100;

const prepareLimitMs = 250;
const executeLimitMs = 1000;

/** For one engine. A statement that reaches the limit breaks its engine, and not the process. */
const heapLimitBytes = 96 * 1024 * 1024;

/** The action codes of sqlite3_set_authorizer(). */
const actions: Readonly<Record<number, ShadowUse['action']>> = { 20: 'read', 31: 'call' };
const pragmaAction = 19;
/** SELECT and recursive SELECT. SQLite reports their reads separately. */
const ignoredActions = new Set([21, 33]);

const doNothing = (): void => undefined;

/** A database in memory in a WebAssembly engine. Statements of a document are prepared on it and never executed. */
export class SqliteConnection {
  readonly #clock: Clock;
  readonly #sqlite: Sqlite3Static;
  readonly #raw: RawFunctions;
  readonly #database: number;
  readonly #encoder = new TextEncoder();
  readonly #decoder = new TextDecoder();
  /** The address of memory for two pointers. */
  readonly #pointers: number;
  /** Function pointers for stubs. */
  readonly #stub: { readonly call: number; readonly end: number };
  readonly #authorizer: number;
  /** The address of the statement's text. */
  #buffer = 0;
  #bufferSize = 0;
  #deadline = 0;
  #uses: Map<string, ShadowUse> | undefined;
  #isPreparing = false;
  #allowsPragma = false;
  readonly #engine: { isBroken: boolean };

  private constructor(sqlite: Sqlite3Static, clock: Clock, engine = { isBroken: false }) {
    this.#clock = clock;
    this.#engine = engine;
    this.#sqlite = sqlite;
    this.#raw = sqlite.wasm.exports as RawFunctions;
    const { capi, wasm } = sqlite;
    this.#pointers = wasm.alloc(8);
    capi.sqlite3_open_v2(':memory:', this.#pointers, capi.SQLITE_OPEN_READWRITE | capi.SQLITE_OPEN_CREATE, 0);
    this.#database = wasm.peekPtr(this.#pointers);
    // Empty tables need only small pages. Without an open transaction, each statement would commit and write them.
    const settings = `PRAGMA hard_heap_limit = ${heapLimitBytes}; PRAGMA page_size = 512; BEGIN`;
    capi.sqlite3_exec(this.#database, settings, 0, 0, 0);
    capi.sqlite3_limit(this.#database, capi.SQLITE_LIMIT_ATTACHED, 0);
    capi.sqlite3_progress_handler(this.#database, stepsPerProgressCall, () => (this.isPast(this.#deadline) ? 1 : 0), 0);
    this.#stub = { call: wasm.installFunction('v(pip)', doNothing), end: wasm.installFunction('v(p)', doNothing) };
    this.#authorizer = wasm.installFunction('i(pipppp)', this.#authorize);
    capi.sqlite3_set_authorizer(this.#database, this.#authorizer as never, 0);
  }

  static async open(wasmBinary: Uint8Array, clock: Clock): Promise<SqliteConnection> {
    return new SqliteConnection(await loadSqlite({ wasmBinary, print: doNothing, printErr: doNothing }), clock);
  }

  /** Opens another empty database in the same engine. */
  openAnother(): SqliteConnection {
    return new SqliteConnection(this.#sqlite, this.#clock, this.#engine);
  }

  /** Releases the memory of this connection. The engine and its other connections stay. */
  close(): void {
    this.#guarded(this.deadline(executeLimitMs), () => {
      const { capi, wasm } = this.#sqlite;
      capi.sqlite3_close_v2(this.#database);
      const { call, end } = this.#stub;
      for (const pointer of [this.#authorizer, call, end]) wasm.uninstallFunction(pointer);
      for (const address of [this.#pointers, this.#buffer]) if (address !== 0) wasm.dealloc(address);
    });
  }

  get isBroken(): boolean {
    return this.#engine.isBroken;
  }

  execute(sql: string): ExecuteResult {
    return this.#guarded<ExecuteResult>(this.deadline(executeLimitMs), () => {
      this.#write(sql);
      const code = this.#raw.sqlite3_exec(this.#database, this.#buffer, 0, 0, 0);
      return code === 0 ? { kind: 'ok' } : this.#failure(sql, code);
    });
  }

  /** The rows of a query of the extension itself, as text. There are none if it fails. */
  rows(sql: string): (string | undefined)[][] {
    const raw = this.#raw;
    const rows: (string | undefined)[][] = [];
    this.#withStatement(sql, this.deadline(executeLimitMs), statement => {
      while (raw.sqlite3_step(statement) === this.#sqlite.capi.SQLITE_ROW) {
        const width = raw.sqlite3_column_count(statement);
        rows.push(Array.from({ length: width }, (_, index) => this.#text(raw.sqlite3_column_text(statement, index))));
      }
    });
    return rows;
  }

  deadline(limitMs = prepareLimitMs): number {
    return this.#clock.now() + limitMs;
  }

  isPast(deadline: number): boolean {
    return this.#clock.now() > deadline;
  }

  /** Prepares the first statement of a text, and executes nothing. `detailed` adds the columns and the uses. */
  prepare(sql: string, detailed: boolean, deadline = this.deadline()): PrepareResult {
    this.#uses = detailed ? new Map() : undefined;
    this.#isPreparing = true;
    const result = this.#withStatement<PrepareResult>(sql, deadline, statement => ({
      kind: 'prepared',
      columns: detailed ? this.#columnsOf(statement) : [],
      readOnly: this.#raw.sqlite3_stmt_readonly(statement) !== 0,
      uses: [...(this.#uses?.values() ?? [])],
    }));
    this.#uses = undefined;
    this.#isPreparing = false;
    return result;
  }

  /** sqlite3_stmt_readonly() of a PRAGMA. SQLite may execute it here, so the caller must know that it only reads. */
  isReadOnlyPragma(sql: string): boolean {
    this.#allowsPragma = true;
    try {
      const result = this.prepare(sql, false);
      return result.kind === 'prepared' && result.readOnly;
    } finally {
      this.#allowsPragma = false;
    }
  }

  /** Adds a stub function with any number of arguments. SQLite never calls it, so all names share one empty function. */
  addFunction(name: string, kind: 'scalar' | 'window'): void {
    this.#guarded(this.deadline(executeLimitMs), () => {
      const { capi } = this.#sqlite;
      const { call, end } = this.#stub;
      const flags = (capi.SQLITE_UTF8 | capi.SQLITE_DETERMINISTIC | capi.SQLITE_INNOCUOUS) as typeof capi.SQLITE_UTF8;
      if (kind === 'scalar') capi.sqlite3_create_function_v2(this.#database, name, -1, flags, 0, call, 0, 0, 0);
      else capi.sqlite3_create_window_function(this.#database, name, -1, flags, 0, call, end, end, call, 0);
    });
  }

  removeFunction(name: string): void {
    this.#guarded(this.deadline(executeLimitMs), () => {
      const { capi } = this.#sqlite;
      capi.sqlite3_create_function_v2(this.#database, name, -1, capi.SQLITE_UTF8, 0, 0, 0, 0, 0);
    });
  }

  /** Prepares the first statement of a text for `use`. Without a statement, its address is 0: it reads and has no columns. */
  #withStatement<T>(
    sql: string,
    deadline: number,
    use: (statement: number) => T,
  ): T | Exclude<ExecuteResult, { kind: 'ok' }> {
    return this.#guarded(deadline, () => {
      const length = this.#write(sql);
      const code = this.#raw.sqlite3_prepare_v3(this.#database, this.#buffer, length, 0, this.#pointers, 0);
      if (code !== 0) return this.#failure(sql, code);
      const statement = this.#sqlite.wasm.peekPtr(this.#pointers);
      try {
        return use(statement);
      } finally {
        this.#raw.sqlite3_finalize(statement);
      }
    });
  }

  /** Marks the engine as broken after a WebAssembly trap: its state is undefined then. */
  #guarded<T>(deadline: number, call: () => T): T | Extract<ExecuteResult, { kind: 'broken' }> {
    if (this.#engine.isBroken) return { kind: 'broken' };
    this.#deadline = deadline;
    try {
      return call();
    } catch {
      this.#engine.isBroken = true;
      return { kind: 'broken' };
    }
  }

  #failure(sql: string, code: number): Exclude<ExecuteResult, { kind: 'ok' }> {
    const { capi } = this.#sqlite;
    // The last byte of an extended result code is the primary code.
    const primaryCode = code & 0xff;
    if (primaryCode === capi.SQLITE_INTERRUPT) return { kind: 'interrupted' };
    // The state of SQLite may be undefined when it has reached the heap limit.
    if (primaryCode === capi.SQLITE_NOMEM) {
      this.#engine.isBroken = true;
      return { kind: 'broken' };
    }
    const offset = capi.sqlite3_error_offset(this.#database);
    return { kind: 'error', message: capi.sqlite3_errmsg(this.#database), offset: this.#utf16Offset(sql, offset) };
  }

  #utf16Offset(sql: string, byteOffset: number): number {
    if (byteOffset <= 0) return byteOffset;
    return this.#decoder.decode(this.#encoder.encode(sql).subarray(0, byteOffset)).length;
  }

  /** Writes a text into the buffer and returns its length in bytes. */
  #write(sql: string): number {
    const { wasm } = this.#sqlite;
    if (sql.length * 3 + 1 > this.#bufferSize) {
      if (this.#buffer !== 0) wasm.dealloc(this.#buffer);
      this.#bufferSize = Math.max(4096, sql.length * 4);
      this.#buffer = wasm.alloc(this.#bufferSize);
    }
    const buffer = wasm.heap8u().subarray(this.#buffer, this.#buffer + this.#bufferSize);
    const { written } = this.#encoder.encodeInto(sql, buffer);
    buffer[written] = 0;
    return written;
  }

  #columnsOf(statement: number): ResultColumn[] {
    const raw = this.#raw;
    return Array.from({ length: raw.sqlite3_column_count(statement) }, (_, index) => ({
      name: this.#text(raw.sqlite3_column_name(statement, index)) ?? '',
      table: this.#text(raw.sqlite3_column_table_name(statement, index)),
      column: this.#text(raw.sqlite3_column_origin_name(statement, index)),
      declaredType: this.#text(raw.sqlite3_column_decltype(statement, index)),
    }));
  }

  /** Reads a text up to its NUL byte. Most texts are short ASCII, for which a decoder is slower. */
  #text(pointer: number): string | undefined {
    if (pointer === 0) return undefined;
    const heap = this.#sqlite.wasm.heap8u();
    let text = '';
    for (let address = pointer; ; address++) {
      const byte = heap[address] ?? 0;
      if (byte === 0) return text;
      if (byte > 0x7f) return this.#decoder.decode(heap.slice(pointer, heap.indexOf(0, address)));
      text += String.fromCharCode(byte);
    }
  }

  /** The callback of sqlite3_set_authorizer(): 0 allows, 1 denies. PRAGMA is denied: SQLite may execute it while it prepares it. */
  readonly #authorize = (
    _context: number,
    code: number,
    firstDetail: number,
    secondDetail: number,
    _database: number,
    triggerOrView: number,
  ): number => {
    if (code === pragmaAction && this.#isPreparing && !this.#allowsPragma) return 1;
    if (!this.#uses || ignoredActions.has(code)) return 0;
    const action = actions[code] ?? 'other';
    const first = this.#text(firstDetail) ?? '';
    const second = this.#text(secondDetail) ?? '';
    const use: ShadowUse = {
      action,
      name: action === 'call' ? second : first,
      column: action === 'read' && second !== '' ? second : undefined,
      through: this.#text(triggerOrView),
    };
    // Each change of the schema writes these tables, so their uses say nothing.
    if (/^sqlite_(?:temp_)?(?:schema|master)$/.test(use.name) && action !== 'read') return 0;
    this.#uses.set(`${action}\0${use.name}\0${second}\0${use.through ?? ''}`, use);
    return 0;
  };
}
