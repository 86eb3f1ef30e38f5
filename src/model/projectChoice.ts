import { projectLineOf } from '../sql/directives/projectLine.ts';
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
  if (named !== undefined) return projectOfName(profiles, named, assignedId);
  if (assignedId !== undefined) {
    const assigned = profiles.find(({ id }) => id === assignedId);
    return assigned ? { kind: 'project', profile: assigned } : { kind: 'away' };
  }
  const [only] = profiles;
  return only && profiles.length === 1 ? { kind: 'project', profile: only } : { kind: 'open' };
}

/** What a document says to name a project: its name, or its id where only that leads to it. */
export function nameFor(profiles: readonly Profile[], { id, name, projectId }: Profile): string {
  const leads = (said: string): boolean => {
    const named = projectLineOf(`-- @project ${said}`)?.name;
    const choice = chooseProject(profiles, { named, assignedId: undefined });
    return choice.kind === 'project' && choice.profile.id === id;
  };
  return [name, projectId].find(leads) ?? name;
}

/** By its name, or by its id where names are the same. Of several that are meant, it is the one that the document was assigned to. */
function projectOfName(profiles: readonly Profile[], name: string, assignedId: string | undefined): ProjectChoice {
  const byName = profiles.filter(profile => profile.name === name);
  const found = byName.length > 0 ? byName : profiles.filter(({ projectId }) => projectId === name);
  const profile = found.length > 1 ? found.find(({ id }) => id === assignedId) : found[0];
  if (profile) return { kind: 'project', profile };
  return { kind: found.length > 1 ? 'ambiguousName' : 'unknownName', name };
}
