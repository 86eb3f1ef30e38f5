import { tokensOf } from '../../sql/parser/grammar.ts';
import { keyOf } from '../../sql/text/names.ts';
import { quoteIdentifierIfNeeded, unquoted } from '../../sql/text/quoting.ts';
import type { SqliteToken } from './tokenReader.ts';

/**
 * Rewrites CREATE TABLE or CREATE INDEX for renamed tables. `names` maps the keys of old names to new names. Everything else
 * stays as it is written.
 */
export function retarget(sql: string, table: string, names: ReadonlyMap<string, string>): string {
  const tokens = tokensOf(sql, 0, sql.length);
  const isIndex = !isWord(tokens[1], 'TABLE');
  let isNamed = false;
  let result = '';
  let end = 0;
  for (const [index, token] of tokens.entries()) {
    const previous = tokens[index - 1];
    const isName = isWord(previous, isIndex ? 'ON' : 'TABLE') && !isNamed;
    const isReference = isWord(previous, 'REFERENCES');
    const isQualifier = tokens[index + 1]?.text === '.' && keyOf(unquoted(token.text)) === keyOf(table);
    if (isName) isNamed = true;
    const name = isName || isReference || isQualifier ? names.get(keyOf(unquoted(token.text))) : undefined;
    if (name === undefined) continue;
    result += sql.slice(end, token.span.offset) + quoteIdentifierIfNeeded(name);
    end = token.span.offset + token.span.length;
  }
  return result + sql.slice(end);
}

const isWord = (token: SqliteToken | undefined, word: string): boolean => token?.text.toUpperCase() === word;
