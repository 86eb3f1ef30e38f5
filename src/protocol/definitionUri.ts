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

/** The URI of a definition as text, for the protocol of the language server too. */
export function definitionUriText({ project, kind, name }: DefinitionAddress): string {
  // The user sees the path. A slash in a name must not look like a folder.
  const segments = [project.name, folders[kind], `${name}.sql`].map(segment => segment.replaceAll('/', '\u2215'));
  const path = segments.map(segment => encodeURIComponent(segment.toWellFormed())).join('/');
  const query = new URLSearchParams({ project: project.id, kind, name }).toString();
  return `${definitionScheme}:/${path}?${encodeURIComponent(query)}`;
}

/** The id of the project whose definition a URI shows. Undefined for other URIs. */
export const definitionProject = ({ scheme, query }: { readonly scheme: string; readonly query: string }) =>
  scheme === definitionScheme ? (new URLSearchParams(query).get('project') ?? '') : undefined;
