/** The scheme of read-only documents with the definitions of a project's objects. */
export const definitionScheme = 'sqlproject';

interface DefinitionAddress {
  readonly project: { readonly id: string; readonly name: string };
  readonly kind: 'table' | 'view' | 'index' | 'trigger';
  readonly name: string;
}

const folders: Readonly<Record<DefinitionAddress['kind'], string>> = {
  table: 'tables',
  view: 'views',
  index: 'indexes',
  trigger: 'triggers',
};

/** The parts of the URI of a definition, without escapes. */
export function definitionUriParts({ project, kind, name }: DefinitionAddress): {
  readonly scheme: string;
  readonly path: string;
  readonly query: string;
} {
  // The user sees the path. A slash in a name must not look like a folder.
  const segments = [project.name, folders[kind], `${name}.sql`].map(segment => segment.replaceAll('/', '\u2215'));
  const query = new URLSearchParams({ project: project.id, kind, name }).toString();
  return { scheme: definitionScheme, path: `/${segments.join('/')}`, query };
}

/** The id of the project whose definition a URI shows. Undefined for other URIs. */
export const definitionProject = ({ scheme, query }: { readonly scheme: string; readonly query: string }) =>
  scheme === definitionScheme ? (new URLSearchParams(query).get('project') ?? '') : undefined;

/** The URI of a definition as text, for the protocol of the language server. */
export function definitionUriText(address: DefinitionAddress): string {
  const { scheme, path, query } = definitionUriParts(address);
  return `${scheme}:${path.toWellFormed().split('/').map(encodeURIComponent).join('/')}?${encodeURIComponent(query)}`;
}
