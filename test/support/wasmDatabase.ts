import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import init, { type Database } from '@sqlite.org/sqlite-wasm';

/** The bytes of SQLite's own WebAssembly build. */
export const wasmBinary = readFileSync(createRequire(import.meta.url).resolve('@sqlite.org/sqlite-wasm/sqlite3.wasm'));

/** An empty database in SQLite's WebAssembly build. */
export async function openWasmDatabase(): Promise<Database> {
  const sqlite = await init();
  return new sqlite.oo1.DB(':memory:');
}
