import { documentParts, type SqlFormatOptions } from '../../src/sql/formatter/formatter.ts';
import { splitStatements } from '../../src/sql/text/splitter.ts';

/** The text of a document after all edits of the formatter. */
export function formatDocument(text: string, options: SqlFormatOptions = {}): string {
  return [...documentParts(text, splitStatements(text), options)].map(part => part.text).join('');
}
