import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';

/** Reads SQLite's WebAssembly module. The build puts it beside the server; from its source, the server takes the package's. */
export function readSqliteWasm(): Promise<Uint8Array> {
  const isSource = extname(import.meta.url) === '.ts';
  const url = isSource ? import.meta.resolve('@sqlite.org/sqlite-wasm/sqlite3.wasm') : './sqlite3.wasm';
  return readFile(new URL(url, import.meta.url));
}
