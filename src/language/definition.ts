import type { Location } from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { definitionUriText } from '../protocol/definitionUri.ts';
import { definitionOf, type ProjectDefinition } from '../sql/symbols/definition.ts';
import { nameAt } from '../sql/symbols/documentNames.ts';
import type { Feature } from './feature.ts';
import type { ProjectIdentity } from './projectSchema.ts';
import { locationOf } from './places.ts';

/** Goes to the statement of the document that defines a name, or to the definition in the project. */
export const definition: Feature = {
  capabilities: { definitionProvider: true },
  listen({ connection, documents }) {
    connection.onDefinition(async (params, token) => {
      const place = await documents.at(params);
      if (!place || token.isCancellationRequested) return null;
      const { document, offset } = place;
      const name = nameAt(document, offset);
      const { project } = document;
      const found = name && definitionOf(document, name, project?.statements ?? []);
      if (!found) return null;
      if (found.place === 'document') return locationOf(found.name, document);
      return project ? projectLocation(found.definition, project.project) : null;
    });
  },
};

/** The document of a definition begins with the statement as the project has it. */
function projectLocation({ kind, name, text, occurrence }: ProjectDefinition, project: ProjectIdentity): Location {
  const uri = definitionUriText({ project, kind, name });
  const file = TextDocument.create(uri, 'sql', 1, text);
  return { uri, range: { start: file.positionAt(occurrence.start), end: file.positionAt(occurrence.end) } };
}
