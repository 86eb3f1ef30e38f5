import { TextDocument } from 'vscode-languageserver-textdocument';
import {
  type Location,
  MarkupKind,
  type DocumentHighlight,
  DocumentHighlightKind,
  LSPErrorCodes,
  ResponseError,
  type CancellationToken,
  type Range,
  type TextDocumentPositionParams,
} from 'vscode-languageserver/node';
import { definitionUriText } from '../protocol/definitionUri.ts';
import { definitionOf, type ProjectDefinition } from '../sql/symbols/definition.ts';
import { nameAt, linkedNames, type NameInDocument, sameNames } from '../sql/symbols/documentNames.ts';
import { hoverText } from '../sql/symbols/hover.ts';
import { checkRename, type RenameRefusal, renameEdits } from '../sql/symbols/rename.ts';
import type { Occurrence } from '../sql/symbols/symbol.ts';
import type { Feature } from './feature.ts';
import type { ProjectIdentity } from './projectSchema.ts';
import type { ServedDocuments } from './servedDocuments.ts';
import type { SqlDocument } from './sqlDocument.ts';
import { Turns } from './turns.ts';

/** Goes to the definition of a name: a statement of the document, or else the statement in the project. */
export const definition: Feature = {
  capabilities: { definitionProvider: true },
  listen({ connection, documents }) {
    connection.onDefinition(async (params, token) => {
      const place = await nameAtPlace(documents, params, token);
      if (!place) return null;
      const { document, name } = place;
      const { project } = document;
      const found = definitionOf(document, name, project?.statements ?? []);
      if (!found) return null;
      if (found.place === 'document') return locationOf(found.name, document);
      return project ? projectLocation(found.definition, project.project) : null;
    });
  },
};

/** The place of a definition in the read-only document that shows the statement of the project. */
export function projectLocation(
  { kind, name, text, occurrence }: ProjectDefinition,
  project: ProjectIdentity,
): Location {
  const uri = definitionUriText({ project, kind, name });
  const file = TextDocument.create(uri, 'sql', 1, text);
  return { uri, range: { start: file.positionAt(occurrence.start), end: file.positionAt(occurrence.end) } };
}

export const hover: Feature = {
  capabilities: { hoverProvider: true },
  listen({ connection, documents }) {
    connection.onHover(async (params, token) => {
      const place = await nameAtPlace(documents, params, token);
      if (!place) return null;
      const { document, name } = place;
      const value = hoverText(document, name, document.project ?? noProject);
      if (value === undefined) return null;
      return { contents: { kind: MarkupKind.Markdown, value }, range: rangeOfName(name, document) };
    });
  },
};

const noProject = { statements: [], rowCount: () => undefined };

const highlightKinds: Readonly<Record<Occurrence['role'], DocumentHighlightKind>> = {
  declaration: DocumentHighlightKind.Write,
  write: DocumentHighlightKind.Write,
  read: DocumentHighlightKind.Read,
};

/** Highlights all names with the same meaning as the name at the cursor. */
export const highlights: Feature = {
  capabilities: { documentHighlightProvider: true },
  listen({ connection, documents }) {
    connection.onDocumentHighlight(async (params, token) => {
      const names = await namesInFile(documents, params, token);
      return names?.map(({ name, document }): DocumentHighlight => ({
        range: rangeOfName(name, document),
        kind: highlightKinds[name.occurrence.role],
      }));
    });
  },
};

/** Lists all names with the same meaning. Aliases and common tables have them in their statement, others in the document. */
export const references: Feature = {
  capabilities: { referencesProvider: true },
  listen({ connection, documents }) {
    connection.onReferences(async (params, token) => {
      const names = await namesInFile(documents, params, token);
      return names
        ?.filter(({ name }) => params.context.includeDeclaration || name.occurrence.role !== 'declaration')
        .map(({ name, document }) => locationOf(name, document));
    });
  },
};

/** If linked editing is on, the uses of an alias change while the user edits one of them. */
export const linkedEditing: Feature = {
  capabilities: { linkedEditingRangeProvider: true },
  listen({ connection, documents }) {
    connection.languages.onLinkedEditingRange(async (params, token) => {
      const place = await nameAtPlace(documents, params, token);
      if (!place) return null;
      const { document, name } = place;
      const linked = linkedNames(document, name);
      if (linked.length === 0) return null;
      return { ranges: linked.map(same => rangeOfName(same, document)), wordPattern: String.raw`[\w$\u0080-\uffff]+` };
    });
  },
};

/** Renames a name that the document itself declares. */
export const rename: Feature = {
  capabilities: { renameProvider: { prepareProvider: true } },
  listen({ connection, documents }) {
    connection.onPrepareRename(async (params, token) => {
      const place = await nameAtPlace(documents, params, token);
      if (!place) return null;
      const { document, name } = place;
      const checked = refusalIn(document, name) ?? checkRename(document, name);
      if ('refusal' in checked) return refuse(checked);
      return { range: rangeOfName(name, document), placeholder: checked.present };
    });
    connection.onRenameRequest(async (params, token) => {
      const place = await nameAtPlace(documents, params, token);
      if (!place) return null;
      const { document, name } = place;
      const result = refusalIn(document, name) ?? renameEdits(document, name, params.newName);
      if ('refusal' in result) return refuse(result);
      const edits = result.edits.map(edit => ({
        range: document.rangeOf(edit),
        newText: document.escape(edit.text, edit.start),
      }));
      return { changes: { [document.uri]: edits } };
    });
  },
};

/** Refuses most names in a program: the order in which its statements run is unknown. */
function refusalIn(document: SqlDocument, { occurrence }: NameInDocument): RenameRefusal | undefined {
  if (document.isWholeFile || occurrence.symbols.every(({ isLocal }) => isLocal)) return undefined;
  return { refusal: 'In a program, only aliases and other names of one statement can be renamed.' };
}

/** Editors show the message of an error beside the name. */
const refuse = ({ refusal }: RenameRefusal): ResponseError => new ResponseError(LSPErrorCodes.RequestFailed, refusal);

interface PlacedName {
  readonly document: SqlDocument;
  readonly name: NameInDocument;
}

function rangeOfName({ statement, occurrence }: NameInDocument, document: SqlDocument): Range {
  return document.rangeOf({ start: statement.start + occurrence.start, end: statement.start + occurrence.end });
}

const locationOf = (name: NameInDocument, document: SqlDocument): Location => ({
  uri: document.uri,
  range: rangeOfName(name, document),
});

/** Undefined if no name is at the place, or if the request was cancelled. */
async function nameAtPlace(
  documents: ServedDocuments,
  params: TextDocumentPositionParams,
  token: CancellationToken,
): Promise<PlacedName | undefined> {
  const place = await documents.placeAt(params);
  if (!place || token.isCancellationRequested) return undefined;
  const { document, offset } = place;
  const name = nameAt(document, offset);
  return name && { document, name };
}

/** All names of a file with the same meaning as the name at a place. Undefined if no name is there. */
async function namesInFile(
  documents: ServedDocuments,
  params: TextDocumentPositionParams,
  token: CancellationToken,
): Promise<readonly PlacedName[] | undefined> {
  const place = await documents.placeAt(params);
  if (!place) return undefined;
  const { document } = place;
  const turns = new Turns(token, document);
  const fileDocuments = await documents.documentsIn(params.textDocument, { withSchema: true });
  await turns.next();
  const name = nameAt(document, place.offset);
  if (!name || name.occurrence.symbols.length === 0) return undefined;
  const found: PlacedName[] = [];
  // A program has one document for each SQL literal.
  for (const other of fileDocuments) {
    for (const names of sameNames(other, other === document ? name : { occurrence: name.occurrence })) {
      const writtenNames = names.filter(({ occurrence }) => !occurrence.isImplied);
      found.push(...writtenNames.map(same => ({ document: other, name: same })));
      if (turns.isOver) await turns.next();
    }
  }
  return found;
}
