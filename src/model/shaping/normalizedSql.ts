import { fallsBackToName, identifier, tokensOf } from '../../sql/parser/grammar.ts';
import { keywordList } from '../../sql/text/keywordList.ts';
import { unquoted } from '../../sql/text/quoting.ts';

/**
 * A statement or expression such that two of them with the same meaning are the same text: without comments, with one space
 * between tokens, and with quotes only where two names would otherwise be one text.
 */
export function normalizedSql(sql: string): string {
  return tokensOf(sql, 0, sql.length)
    .map(({ type, text }) => {
      if (type === identifier || fallsBackToName(type)) return normalizedName(unquoted(text));
      return keywordList.has(text.toUpperCase()) ? text.toLowerCase() : text;
    })
    .join(' ');
}

/** A name that is also a keyword is in lower case, because a keyword has no case. */
function normalizedName(name: string): string {
  const isKeyword = keywordList.has(name.toUpperCase());
  const word = isKeyword ? name.toLowerCase() : name;
  return /^[\w\u0080-\u{10ffff}]+$/u.test(word) ? word : `"${word.replaceAll('"', '""')}"`;
}
