import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import init, { type Database } from '@sqlite.org/sqlite-wasm';

export const wasmBinary = readFileSync(createRequire(import.meta.url).resolve('@sqlite.org/sqlite-wasm/sqlite3.wasm'));

export async function openWasmDatabase(): Promise<Database> {
  const sqlite = await init();
  return new sqlite.oo1.DB(':memory:');
}

/** Lists the keywords of that build, in upper case. */
export async function sqliteKeywords(): Promise<string[]> {
  const { capi, wasm } = await init();
  const place = wasm.alloc(8);
  const keywords = Array.from({ length: capi.sqlite3_keyword_count() }, (_, index) => {
    capi.sqlite3_keyword_name(index, place, place + 4);
    const start = wasm.peekPtr(place);
    return new TextDecoder().decode(wasm.heap8u().slice(start, start + wasm.peek32(place + 4)));
  });
  wasm.dealloc(place);
  return keywords;
}
