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
import { nameAt, linkedNames, type NameInDocument, namesElsewhere, sameNames } from '../sql/symbols/documentNames.ts';
import { hoverText } from '../sql/symbols/hover.ts';
import { checkRename, type RenameRefusal, renameEdits } from '../sql/symbols/rename.ts';
import type { Occurrence } from '../sql/symbols/symbol.ts';
import type { Feature } from './feature.ts';
import type { ProjectIdentity } from './projectSchema.ts';
import type { ServedDocuments } from './servedDocuments.ts';
import type { SqlDocument } from './sqlDocument.ts';
import { Turns } from './turns.ts';

/** Goes to the statement of the document that defines a name, or to the definition in the project. */
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

/** The document of a definition begins with the statement as the project has it. */
export function projectLocation(
  { kind, name, text, occurrence }: ProjectDefinition,
  project: ProjectIdentity,
): Location {
  const uri = definitionUriText({ project, kind, name });
  const file = TextDocument.create(uri, 'sql', 1, text);
  return { uri, range: { start: file.positionAt(occurrence.start), end: file.positionAt(occurrence.end) } };
}

/** Shows what the name under the mouse stands for. */
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

/** Highlights the names for the same thing as the one at the cursor. */
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

/** Lists the names for the same thing: in the statement for aliases and common tables, in the document for others. */
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

/** While an alias is typed over, its uses in the statement follow, if linked editing is on. */
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

/** Renames what the document itself declares. */
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
        newText: document.written(edit.text, edit.start),
      }));
      return { changes: { [document.uri]: edits } };
    });
  },
};

/** A program does not show in which order its statements run. */
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

/** The range of a name in the file of its document. */
function rangeOfName({ statement, occurrence }: NameInDocument, document: SqlDocument): Range {
  return document.rangeOf({ start: statement.start + occurrence.start, end: statement.start + occurrence.end });
}

const locationOf = (name: NameInDocument, document: SqlDocument): Location => ({
  uri: document.uri,
  range: rangeOfName(name, document),
});

/** The name at a place. Undefined if there is none, or if the request was cancelled. */
async function nameAtPlace(
  documents: ServedDocuments,
  params: TextDocumentPositionParams,
  token: CancellationToken,
): Promise<PlacedName | undefined> {
  const place = await documents.at(params);
  if (!place || token.isCancellationRequested) return undefined;
  const { document, offset } = place;
  const name = nameAt(document, offset);
  return name && { document, name };
}

/** The names in a file for the same thing as the one at a place. Undefined if there is none. */
async function namesInFile(
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
