/** SQLite's answers on a statement. It is prepared in an in-memory database with a schema and never executed. */
import sqlite3InitModule from '@sqlite.org/sqlite-wasm';

/** Refused by the grammar (`syntax`), refused because of the schema (`semantic`), accepted, or no statement at all. */
export type OracleResultKind = 'statement' | 'empty' | 'syntax' | 'semantic';

export interface OracleResult {
  readonly kind: OracleResultKind;
  readonly message: string;
  /** The position of the fault, or -1 if SQLite does not report one. */
  readonly offset: number;
  /** The end of the statement in the text. */
  readonly tail: number;
  /** sqlite3_stmt_readonly(). */
  readonly readOnly: boolean;
  readonly parameterCount: number;
}

export interface SqliteOracle {
  /** Offsets are in UTF-16 units. */
  prepare(sql: string): OracleResult;
  /** sqlite3_complete(): whether the text ends with a whole statement. */
  isComplete(sql: string): boolean;
}

const syntaxMessage = /syntax error|incomplete input|unrecognized token/;
const utf8 = new TextEncoder();
const utf16 = new TextDecoder('utf-8', { ignoreBOM: true });

export async function openSqliteOracle(ddl: string): Promise<SqliteOracle> {
  const { capi, wasm, oo1 } = await sqlite3InitModule();
  const db = new oo1.DB(':memory:');
  db.exec(ddl);
  const pointer = db.pointer;
  if (pointer === undefined) throw new Error('The oracle has no database.');
  // Many PRAGMAs act while they are prepared. A denied PRAGMA is only parsed.
  capi.sqlite3_set_authorizer(
    pointer,
    (_context, action) => (action === capi.SQLITE_PRAGMA ? capi.SQLITE_DENY : capi.SQLITE_OK),
    0,
  );
  return {
    isComplete: sql => capi.sqlite3_complete(sql) !== 0,
    prepare(sql) {
      const bytes = utf8.encode(sql);
      const units = (end: number): number => (end < 0 ? -1 : utf16.decode(bytes.subarray(0, end)).length);
      const text = wasm.alloc(bytes.length + 1);
      const out = wasm.alloc(8);
      try {
        wasm.heap8u().set(bytes, text);
        wasm.poke8(text + bytes.length, 0);
        const code = capi.sqlite3_prepare_v3(pointer, text, bytes.length, 0, out, out + 4);
        const statement = wasm.peekPtr(out);
        const tail = units(wasm.peekPtr(out + 4) - text);
        if (code !== 0) {
          const message = capi.sqlite3_errmsg(pointer);
          const offset = units(capi.sqlite3_error_offset(pointer));
          const kind = syntaxMessage.test(message) ? 'syntax' : 'semantic';
          return { kind, message, offset, tail, readOnly: false, parameterCount: 0 };
        }
        const none = { kind: 'empty', message: '', offset: -1, tail, readOnly: true, parameterCount: 0 } as const;
        if (!statement) return none;
        const readOnly = capi.sqlite3_stmt_readonly(statement) !== 0;
        const parameterCount = capi.sqlite3_bind_parameter_count(statement);
        capi.sqlite3_finalize(statement);
        return { ...none, kind: 'statement', readOnly, parameterCount };
      } finally {
        wasm.dealloc(text);
        wasm.dealloc(out);
      }
    },
  };
}
