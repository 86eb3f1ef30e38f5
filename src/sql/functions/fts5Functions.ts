import type { FunctionRow } from './functionRow.ts';

/** Most take the full-text table as their first argument, and work only in a query with MATCH on it. */
export const fts5Functions: readonly FunctionRow[] = [
  ['bm25', 'table, weight...', 'real', 'How well a row fits the query, lower being better; a weight for each column.'],
  ['fts5_get_locale', 'table, column', 'text', 'The locale with which a value of the column was stored, or NULL.'],
  [
    'fts5_insttoken',
    'phrase',
    'text',
    'A query whose last token also matches as a prefix while the user still types it.',
  ],
  ['fts5_locale', 'locale, text', 'blob', 'Text together with the locale in which the tokenizer shall read it.'],
  ['fts5_source_id', '', 'text', 'The check-in of the source that FTS5 was built from.'],
  ['highlight', 'table, column, before, after', 'text', 'The text of a column with each match between two marks.'],
  [
    'snippet',
    'table, column, before, after, ellipsis, tokens',
    'text',
    'A piece of at most that many tokens around the matches, each between two marks; column -1 lets it choose.',
  ],
];
