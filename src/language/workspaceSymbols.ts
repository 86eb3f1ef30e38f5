import { SymbolKind, type WorkspaceSymbol } from 'vscode-languageserver/node';
import { asString, type Infer, object, oneOf } from '../base/decode.ts';
import { withoutIcons } from '../base/icons.ts';
import { definitionUriText } from '../protocol/definitionUri.ts';
import { matchingSymbols, type SchemaSymbol } from '../sql/outline/outline.ts';
import { projectDefinition } from '../sql/symbols/definition.ts';
import { tableColumn, tableSymbol } from '../sql/symbols/nameResolver.ts';
import type { Feature } from './feature.ts';
import { projectLocation } from './names.ts';
import type { ProjectSchema } from './projectSchema.ts';
import type { ServedDocuments } from './servedDocuments.ts';

/** The editor requests the list again with each letter, so it may be short. */
const maxSymbols = 500;

const symbolKinds: Readonly<Record<SchemaSymbol['kind'], SymbolKind>> = {
  table: SymbolKind.Struct,
  view: SymbolKind.Interface,
  column: SymbolKind.Field,
};

/** The data of a symbol. The editor sends them back to resolve it. */
const decodeOrigin = object({
  project: asString,
  kind: oneOf(['table', 'view', 'column']),
  name: asString,
  table: asString,
});
type Origin = Infer<typeof decodeOrigin>;

/** Finds the tables, views and columns of the projects that open documents belong to. */
export const workspaceSymbols: Feature = {
  capabilities: { workspaceSymbolProvider: { resolveProvider: true } },
  listen({ connection, documents }) {
    connection.onWorkspaceSymbol(({ query }) =>
      projectsOf(documents)
        .flatMap(project => matchingSymbols(project.schema, query, maxSymbols).map(symbol => symbolOf(symbol, project)))
        .slice(0, maxSymbols),
    );
    connection.onWorkspaceSymbolResolve(symbol => {
      const origin = decodeOrigin(symbol.data);
      const project = projectsOf(documents).find(({ project: { id } }) => id === origin?.project);
      return origin && project ? { ...symbol, location: locationIn(project, origin) ?? symbol.location } : symbol;
    });
  },
};

function projectsOf(documents: ServedDocuments): ProjectSchema[] {
  const projects = new Map<string, ProjectSchema>();
  for (const { project } of documents.servedFiles) if (project) projects.set(project.project.id, project);
  return [...projects.values()];
}

function symbolOf({ kind, name, table }: SchemaSymbol, project: ProjectSchema): WorkspaceSymbol {
  const { id, name: projectName } = project.project;
  const origin: Origin = { project: id, kind, name, table };
  const objectKind = project.schema.table(table)?.kind === 'view' ? 'view' : 'table';
  return {
    name: withoutIcons(name),
    kind: symbolKinds[kind],
    containerName: withoutIcons(kind === 'column' ? `${table} · ${projectName}` : projectName),
    // The range follows when the user opens the symbol.
    location: { uri: definitionUriText({ project: project.project, kind: objectKind, name: table }) },
    data: origin,
  };
}

function locationIn(project: ProjectSchema, { kind, name, table }: Origin): WorkspaceSymbol['location'] | undefined {
  const definition =
    (kind === 'column' && projectDefinition(tableColumn(table, name), project.statements)) ||
    projectDefinition(tableSymbol(table), project.statements);
  return definition && projectLocation(definition, project.project);
}
