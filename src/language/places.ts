import type { Location, Range } from 'vscode-languageserver/node';
import type { NameInDocument } from '../sql/symbols/documentNames.ts';
import type { SqlDocument } from './sqlDocument.ts';

/** The range of a name in the file of its document. */
export function rangeOfName({ statement, occurrence }: NameInDocument, document: SqlDocument): Range {
  return document.rangeOf({ start: statement.start + occurrence.start, end: statement.start + occurrence.end });
}

export const locationOf = (name: NameInDocument, document: SqlDocument): Location => ({
  uri: document.uri,
  range: rangeOfName(name, document),
});
