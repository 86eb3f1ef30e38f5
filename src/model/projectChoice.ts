import type { Profile } from './profiles.ts';

/**
 * Where a document's statements go: to the project it was assigned to, or to the only one there is. A document whose
 * project is away goes nowhere unasked: the only one left may be the last that its statements are meant for.
 */
export function sureProject(profiles: readonly Profile[], assignedId: string | undefined): Profile | undefined {
  if (assignedId !== undefined) return profiles.find(({ id }) => id === assignedId);
  return profiles.length === 1 ? profiles[0] : undefined;
}
