import type { Location, Range } from 'vscode-languageserver/node';
import { type NameInDocument, namesElsewhere, sameNames } from '../sql/symbols/documentNames.ts';
import type { SqlDocument } from './sqlDocument.ts';

interface PlacedName {
  readonly document: SqlDocument;
  readonly name: NameInDocument;
}

/** The range of a name in the file of its document. */
export function rangeOfName({ statement, occurrence }: NameInDocument, document: SqlDocument): Range {
  return document.rangeOf({ start: statement.start + occurrence.start, end: statement.start + occurrence.end });
}

export const locationOf = (name: NameInDocument, document: SqlDocument): Location => ({
  uri: document.uri,
  range: rangeOfName(name, document),
});

/** The names in a file for the same thing as a name. A program has several documents. */
export function* namesInFile(
  { document, name }: PlacedName,
  fileDocuments: readonly SqlDocument[],
): Generator<readonly PlacedName[]> {
  for (const other of fileDocuments) {
    const parts = other === document ? sameNames(document, name) : namesElsewhere(other, name.occurrence);
    for (const names of parts) {
      yield names.filter(({ occurrence }) => !occurrence.isImplied).map(same => ({ document: other, name: same }));
    }
  }
}
