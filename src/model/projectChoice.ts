import type { Profile } from './profiles.ts';

/** Where a document's statements go, or why that is not known. */
export type ProjectChoice =
  | { readonly kind: 'project'; readonly profile: Profile }
  /** The document names a project that is not there, or one of several of that name. */
  | { readonly kind: 'unknownName' | 'ambiguousName'; readonly name: string }
  /** The project that it was assigned to is not there. */
  | { readonly kind: 'away' }
  | { readonly kind: 'open' };

export interface DocumentMarks {
  /** What the document says itself. It wins. */
  readonly named: string | undefined;
  /** The project that the document was assigned to. */
  readonly assignedId: string | undefined;
}

/**
 * Where a document's statements go: to the project that it names, to the one it was assigned to, or to the only one there
 * is. A document whose project is away goes nowhere unasked: the only one left may be the last that it is meant for.
 */
export function chooseProject(profiles: readonly Profile[], { named, assignedId }: DocumentMarks): ProjectChoice {
  if (named !== undefined) return projectOfName(profiles, named);
  if (assignedId !== undefined) {
    const assigned = profiles.find(({ id }) => id === assignedId);
    return assigned ? { kind: 'project', profile: assigned } : { kind: 'away' };
  }
  const [only] = profiles;
  return only && profiles.length === 1 ? { kind: 'project', profile: only } : { kind: 'open' };
}

/** By its name, or by its id where names are the same. */
function projectOfName(profiles: readonly Profile[], name: string): ProjectChoice {
  const byName = profiles.filter(profile => profile.name === name);
  const found = byName.length > 0 ? byName : profiles.filter(({ projectId }) => projectId === name);
  const [profile] = found;
  if (!profile) return { kind: 'unknownName', name };
  return found.length === 1 ? { kind: 'project', profile } : { kind: 'ambiguousName', name };
}
