import { projectLineOf } from '../sql/directives/projectLine.ts';
import type { Profile } from './profiles.ts';

/** The project that a document's statements go to, or why there is none. */
export type ProjectChoice =
  | { readonly kind: 'project'; readonly profile: Profile }
  /** The document, or a setting for it, names no known project, or a name that several projects have. */
  | { readonly kind: 'unknownName' | 'ambiguousName'; readonly name: string; readonly isSetting?: boolean }
  | { readonly kind: 'missing' }
  | { readonly kind: 'undecided' };

/** The name and the assignment by which a document finds its project. */
interface ProjectHints {
  /** The name in the document's `-- @project` line, which wins. */
  readonly directiveName: string | undefined;
  readonly assignedId: string | undefined;
}

/**
 * Chooses the project that the document names, else the one it was assigned to, else the only project. If the assigned project
 * is missing, none is chosen: the only remaining project may be the wrong one.
 */
export function chooseProject(
  profiles: readonly Profile[],
  { directiveName, assignedId }: ProjectHints,
): ProjectChoice {
  if (directiveName !== undefined) return projectOfName(profiles, directiveName, assignedId);
  if (assignedId !== undefined) {
    const assigned = profiles.find(({ id }) => id === assignedId);
    return assigned ? { kind: 'project', profile: assigned } : { kind: 'missing' };
  }
  const [only] = profiles;
  return only && profiles.length === 1 ? { kind: 'project', profile: only } : { kind: 'undecided' };
}

/** The name for a `-- @project` line: the project's name, or its id where the name leads elsewhere. */
export function nameForProjectLine(profiles: readonly Profile[], { id, name, projectId }: Profile): string {
  const leadsToProject = (candidate: string): boolean => {
    const directiveName = projectLineOf(`-- @project ${candidate}`)?.name;
    const choice = chooseProject(profiles, { directiveName, assignedId: undefined });
    return choice.kind === 'project' && choice.profile.id === id;
  };
  return [name, projectId].find(leadsToProject) ?? name;
}

/** Finds a project by name, else by id. Among several, the document's assignment decides. */
function projectOfName(profiles: readonly Profile[], name: string, assignedId: string | undefined): ProjectChoice {
  const byName = profiles.filter(profile => profile.name === name);
  const matches = byName.length > 0 ? byName : profiles.filter(({ projectId }) => projectId === name);
  const profile = matches.length > 1 ? matches.find(({ id }) => id === assignedId) : matches[0];
  if (profile) return { kind: 'project', profile };
  return { kind: matches.length > 1 ? 'ambiguousName' : 'unknownName', name };
}

/** The id of the project that each document is assigned to, by document URI. Values come from storage. */
type DocumentAssignments = Readonly<Record<string, unknown>>;

/** Moves the assignments of a file or folder to its new URI. Assignments of documents that the move replaced are removed. */
export function moveAssignments(assignments: DocumentAssignments, from: string, to: string): DocumentAssignments {
  const entries = Object.entries(assignments);
  const isMoved = (uri: string): boolean => uri === from || uri.startsWith(`${from}/`);
  const unmoved = entries.filter(([uri]) => !isMoved(uri) && uri !== to);
  const moved = entries
    .filter(([uri]) => isMoved(uri))
    .map(([uri, project]) => [`${to}${uri.slice(from.length)}`, project] as const);
  return Object.fromEntries([...unmoved, ...moved]);
}
