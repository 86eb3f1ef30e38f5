import type { CancellationToken, Location, Range, TextDocumentPositionParams } from 'vscode-languageserver/node';
import { nameAt, type NameInDocument, namesElsewhere, sameNames } from '../sql/symbols/documentNames.ts';
import type { ServedDocuments } from './servedDocuments.ts';
import type { SqlDocument } from './sqlDocument.ts';
import { Turns } from './turns.ts';

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

/** The names in a file for the same thing as the one at a place. Undefined if there is none. */
export async function namesInFile(
  documents: ServedDocuments,
  params: TextDocumentPositionParams,
  token: CancellationToken,
): Promise<readonly PlacedName[] | undefined> {
  const place = await documents.at(params);
  if (!place) return undefined;
  const { document } = place;
  const turns = new Turns(token, document);
  const fileDocuments = await documents.in(params.textDocument, { withSchema: true });
  await turns.next();
  const name = nameAt(document, place.offset);
  if (!name || name.occurrence.symbols.length === 0) return undefined;
  const found: PlacedName[] = [];
  // A program has several documents.
  for (const other of fileDocuments) {
    for (const names of other === document ? sameNames(document, name) : namesElsewhere(other, name.occurrence)) {
      const written = names.filter(({ occurrence }) => !occurrence.isImplied);
      found.push(...written.map(same => ({ document: other, name: same })));
      if (turns.isOver) await turns.next();
    }
  }
  return found;
}
