import { setImmediate as nextTurn } from 'node:timers/promises';
import { asString, parseJson } from '../base/decode.ts';
import { backslash, closeBrace, closeBracket, colon, openBrace, openBracket, quote } from '../base/jsonBytes.ts';
import type { Column } from '../wire/values.ts';
import { utf8Text } from './decodeRows.ts';
import type { RowBatch } from './rowBatcher.ts';

/** Other work of the process gets a turn after this number of bytes of a row. */
const turnBytes = 1 << 18;

/** A longer key is not decoded, since that would keep other work waiting. */
const maxKeyBytes = 1 << 20;

/**
 * The keys of the first row in the order of its text. A decoded object lists keys that look like integers first. Undefined if
 * a key is too long, or not valid JSON.
 */
export async function columnsOfFirstRow({ bytes }: RowBatch): Promise<Column[] | undefined> {
  const names = new Set<string>();
  let turnEnd = turnBytes;
  let depth = 0;
  let isInString = false;
  let stringStart = 0;
  let stringEnd = 0;
  for (let at = 0; at < bytes.length; at++) {
    if (at >= turnEnd) {
      await nextTurn();
      turnEnd = at + turnBytes;
    }
    const byte = bytes[at];
    if (isInString) {
      if (byte === backslash) at++;
      else if (byte === quote) {
        isInString = false;
        stringEnd = at + 1;
      }
    } else if (byte === quote) {
      isInString = true;
      stringStart = at;
    } else if (byte === openBrace || byte === openBracket) {
      depth++;
    } else if (byte === closeBrace || byte === closeBracket) {
      depth--;
      if (depth === 0) return Array.from(names, name => ({ name, type: '' }));
    } else if (byte === colon && depth === 1) {
      const name = nameOf(bytes.subarray(stringStart, stringEnd));
      if (name === undefined) return undefined;
      names.add(name);
    }
  }
  return undefined;
}

const nameOf = (key: Uint8Array): string | undefined =>
  key.length > maxKeyBytes ? undefined : asString(parseJson(utf8Text(key)));
