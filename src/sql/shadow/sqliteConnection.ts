import init, { type Sqlite3Static } from '@sqlite.org/sqlite-wasm';
import type { Clock } from '../../base/clock.ts';
import type { ResultColumn, ShadowUse } from './shadowReport.ts';

/** What one call of SQLite came to. `broken` means that the engine is of no more use. */
export type Verdict =
  | { readonly kind: 'ok' }
  | {
      readonly kind: 'error';
      readonly message: string;
      /** In UTF-16 units, -1 when SQLite gives none. */ readonly offset: number;
    }
  | { readonly kind: 'cutOff' }
  | { readonly kind: 'broken' };

export type Prepared =
  | Exclude<Verdict, { kind: 'ok' }>
  | {
      readonly kind: 'prepared';
      readonly columns: readonly ResultColumn[];
      readonly parameterCount: number;
      readonly readOnly: boolean;
      readonly uses: readonly ShadowUse[];
    };

/** The package declares no parameters, but hands what it gets to Emscripten, which takes the binary from there. */
const load = init as unknown as (options: {
  wasmBinary: Uint8Array;
  print: () => void;
  printErr: () => void;
}) => Promise<Sqlite3Static>;

/** The functions of SQLite that every statement needs, called without the conversions that the package puts around them. */
interface RawFunctions {
  sqlite3_exec(db: number, sql: number, callback: number, context: number, message: number): number;
  sqlite3_prepare_v3(db: number, sql: number, length: number, flags: number, statement: number, tail: number): number;
  sqlite3_step(statement: number): number;
  sqlite3_finalize(statement: number): number;
  sqlite3_bind_parameter_count(statement: number): number;
  sqlite3_stmt_readonly(statement: number): number;
  sqlite3_column_count(statement: number): number;
  sqlite3_column_text(statement: number, index: number): number;
  sqlite3_column_name(statement: number, index: number): number;
  sqlite3_column_table_name(statement: number, index: number): number;
  sqlite3_column_origin_name(statement: number, index: number): number;
  sqlite3_column_decltype(statement: number, index: number): number;
}

/** After how many of its steps SQLite asks whether to go on. One step of preparing can be a whole subquery. */
const stepsBetweenQuestions = 100;

/** Milliseconds after which the answer is no. */
const prepareTime = 250;
const executeTime = 1000;

/** Memory for one engine. Reaching it is an error of the statement; growing without end would be one of the process. */
const heapLimit = 96 * 1024 * 1024;

const actions: Readonly<Record<number, ShadowUse['action']>> = {
  9: 'delete',
  18: 'insert',
  20: 'read',
  23: 'update',
  31: 'call',
};
const pragmaAction = 19;
const silentActions = new Set([21, 33]);
const schemaActions = new Set([1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 14, 15, 16, 17, 26, 29, 30]);

const nothing = (): void => undefined;

/** One empty database in memory in a WebAssembly engine of its own. Statements are prepared on it, never run. */
export class SqliteConnection {
  readonly #clock: Clock;
  readonly #sqlite: Sqlite3Static;
  readonly #raw: RawFunctions;
  readonly #database: number;
  readonly #encoder = new TextEncoder();
  readonly #decoder = new TextDecoder();
  /** Room for a statement pointer and the end of the statement. */
  readonly #pointers: number;
  readonly #standIn: { readonly call: number; readonly end: number };
  readonly #authorizer: number;
  #buffer = 0;
  #bufferSize = 0;
  #deadline = 0;
  #uses: Map<string, ShadowUse> | undefined;
  #isPreparing = false;
  /** Of all connections of one engine. */
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
    // Tables without rows are best kept on small pages, and what is not committed need not be written twice.
    const settings = `PRAGMA hard_heap_limit = ${heapLimit}; PRAGMA page_size = 512; BEGIN`;
    capi.sqlite3_exec(this.#database, settings, 0, 0, 0);
    capi.sqlite3_progress_handler(
      this.#database,
      stepsBetweenQuestions,
      () => (this.isPast(this.#deadline) ? 1 : 0),
      0,
    );
    this.#standIn = { call: wasm.installFunction('v(pip)', nothing), end: wasm.installFunction('v(p)', nothing) };
    this.#authorizer = wasm.installFunction('i(pipppp)', this.#authorize);
    capi.sqlite3_set_authorizer(this.#database, this.#authorizer as never, 0);
  }

  static async open(wasmBinary: Uint8Array, clock: Clock): Promise<SqliteConnection> {
    return new SqliteConnection(await load({ wasmBinary, print: nothing, printErr: nothing }), clock);
  }

  /** Another empty database in the same engine. */
  beside(): SqliteConnection {
    return new SqliteConnection(this.#sqlite, this.#clock, this.#engine);
  }

  /** Gives back what it has of the engine. Others beside it stay, and more can be opened. */
  close(): void {
    this.#guarded<Verdict>(this.deadline(executeTime), () => {
      const { capi, wasm } = this.#sqlite;
      capi.sqlite3_close_v2(this.#database);
      const { call, end } = this.#standIn;
      for (const installed of [this.#authorizer, call, end]) wasm.uninstallFunction(installed);
      for (const room of [this.#pointers, this.#buffer]) if (room !== 0) wasm.dealloc(room);
      return { kind: 'ok' };
    });
  }

  /** Whether an earlier call broke the engine. */
  get isBroken(): boolean {
    return this.#engine.isBroken;
  }

  execute(sql: string): Verdict {
    return this.#guarded<Verdict>(this.deadline(executeTime), () => {
      this.#write(sql);
      const code = this.#raw.sqlite3_exec(this.#database, this.#buffer, 0, 0, 0);
      return code === 0 ? { kind: 'ok' } : this.#fault(sql, code);
    });
  }

  /** The rows of a question of our own, as text. None when it fails. */
  rows(sql: string): (string | undefined)[][] {
    const raw = this.#raw;
    const rows: (string | undefined)[][] = [];
    this.#guarded<Verdict>(this.deadline(executeTime), () => {
      const length = this.#write(sql);
      const code = raw.sqlite3_prepare_v3(this.#database, this.#buffer, length, 0, this.#pointers, 0);
      if (code !== 0) return this.#fault(sql, code);
      const statement = this.#sqlite.wasm.peekPtr(this.#pointers);
      try {
        while (raw.sqlite3_step(statement) === this.#sqlite.capi.SQLITE_ROW) {
          const width = raw.sqlite3_column_count(statement);
          rows.push(Array.from({ length: width }, (_, at) => this.#text(raw.sqlite3_column_text(statement, at))));
        }
      } finally {
        raw.sqlite3_finalize(statement);
      }
      return { kind: 'ok' };
    });
    return rows;
  }

  /** Until when a statement may be looked at that is looked at from now on. */
  deadline(milliseconds = prepareTime): number {
    return this.#clock.now() + milliseconds;
  }

  isPast(deadline: number): boolean {
    return this.#clock.now() > deadline;
  }

  /** Prepares the first statement of a text and forgets it again. */
  prepare(sql: string, detailed: boolean, deadline = this.deadline()): Prepared {
    this.#uses = detailed ? new Map() : undefined;
    this.#isPreparing = true;
    const prepared = this.#guarded<Prepared>(deadline, () => {
      const raw = this.#raw;
      const length = this.#write(sql);
      const code = raw.sqlite3_prepare_v3(this.#database, this.#buffer, length, 0, this.#pointers, 0);
      if (code !== 0) return this.#fault(sql, code);
      const statement = this.#sqlite.wasm.peekPtr(this.#pointers);
      if (statement === 0) return { kind: 'prepared', columns: [], parameterCount: 0, readOnly: true, uses: [] };
      try {
        return {
          kind: 'prepared',
          columns: detailed ? this.#columnsOf(statement) : [],
          parameterCount: raw.sqlite3_bind_parameter_count(statement),
          readOnly: raw.sqlite3_stmt_readonly(statement) !== 0,
          uses: [...(this.#uses?.values() ?? [])],
        };
      } finally {
        raw.sqlite3_finalize(statement);
      }
    });
    this.#uses = undefined;
    this.#isPreparing = false;
    return prepared;
  }

  /** Puts a function in place that takes anything. It is never called, so one that does nothing serves for all. */
  addFunction(name: string, kind: 'scalar' | 'window'): void {
    this.#guarded<Verdict>(this.deadline(executeTime), () => {
      const { capi } = this.#sqlite;
      const { call, end } = this.#standIn;
      const flags = (capi.SQLITE_UTF8 | capi.SQLITE_DETERMINISTIC | capi.SQLITE_INNOCUOUS) as typeof capi.SQLITE_UTF8;
      if (kind === 'scalar') capi.sqlite3_create_function_v2(this.#database, name, -1, flags, 0, call, 0, 0, 0);
      else capi.sqlite3_create_window_function(this.#database, name, -1, flags, 0, call, end, end, call, 0);
      return { kind: 'ok' };
    });
  }

  removeFunction(name: string): void {
    this.#guarded<Verdict>(this.deadline(executeTime), () => {
      const { capi } = this.#sqlite;
      capi.sqlite3_create_function_v2(this.#database, name, -1, capi.SQLITE_UTF8, 0, 0, 0, 0, 0);
      return { kind: 'ok' };
    });
  }

  /** A trap of WebAssembly leaves the engine in a state that nobody knows, and so does running out of memory. */
  #guarded<T>(deadline: number, call: () => T): T | Extract<Verdict, { kind: 'broken' }> {
    if (this.#engine.isBroken) return { kind: 'broken' };
    this.#deadline = deadline;
    try {
      return call();
    } catch {
      this.#engine.isBroken = true;
      return { kind: 'broken' };
    }
  }

  #fault(sql: string, code: number): Exclude<Verdict, { kind: 'ok' }> {
    const { capi } = this.#sqlite;
    // Extended codes carry the plain one in their last byte.
    if ((code & 0xff) === capi.SQLITE_INTERRUPT) return { kind: 'cutOff' };
    if ((code & 0xff) === capi.SQLITE_NOMEM) {
      this.#engine.isBroken = true;
      return { kind: 'broken' };
    }
    const offset = capi.sqlite3_error_offset(this.#database);
    return { kind: 'error', message: capi.sqlite3_errmsg(this.#database), offset: this.#utf16Offset(sql, offset) };
  }

  #utf16Offset(sql: string, bytes: number): number {
    if (bytes <= 0) return bytes;
    return this.#decoder.decode(this.#encoder.encode(sql).subarray(0, bytes)).length;
  }

  /** Writes a text where SQLite can read it, and gives its length in bytes. */
  #write(sql: string): number {
    const { wasm } = this.#sqlite;
    if (sql.length * 3 + 1 > this.#bufferSize) {
      if (this.#buffer !== 0) wasm.dealloc(this.#buffer);
      this.#bufferSize = Math.max(4096, sql.length * 4);
      this.#buffer = wasm.alloc(this.#bufferSize);
    }
    const room = wasm.heap8u().subarray(this.#buffer, this.#buffer + this.#bufferSize);
    const { written } = this.#encoder.encodeInto(sql, room);
    room[written] = 0;
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

  /** The text that ends with a NUL byte. Most is short and ASCII, which needs no decoder. */
  #text(pointer: number): string | undefined {
    if (pointer === 0) return undefined;
    const heap = this.#sqlite.wasm.heap8u();
    let text = '';
    for (let at = pointer; ; at++) {
      const byte = heap[at] ?? 0;
      if (byte === 0) return text;
      if (byte > 0x7f) return this.#decoder.decode(heap.slice(pointer, heap.indexOf(0, at)));
      text += String.fromCharCode(byte);
    }
  }

  readonly #authorize = (
    _: number,
    code: number,
    first: number,
    second: number,
    _database: number,
    inner: number,
  ): number => {
    if (code === pragmaAction && this.#isPreparing) return 1;
    if (!this.#uses || silentActions.has(code)) return 0;
    const action = actions[code] ?? (schemaActions.has(code) ? 'schema' : 'other');
    const one = this.#text(first) ?? '';
    const two = this.#text(second) ?? '';
    const use: ShadowUse = {
      action,
      name: action === 'call' ? two : one,
      column: (action === 'read' || action === 'update') && two !== '' ? two : undefined,
      through: this.#text(inner),
    };
    // SQLite writes its own tables when the schema changes, which is no news.
    if (/^sqlite_(?:temp_)?(?:schema|master)$/.test(use.name) && action !== 'read') return 0;
    this.#uses.set(`${action}\0${use.name}\0${two}\0${use.through ?? ''}`, use);
    return 0;
  };
}
