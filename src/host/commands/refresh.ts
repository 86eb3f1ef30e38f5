import type { Catalogs } from '../connections/catalogs.ts';
import type { Projects } from '../connections/projects.ts';
import { profileOf } from '../tree/treeNodes.ts';
import type { ProjectArgument } from './keyCommands.ts';

/** Reads a project anew when one is meant, and everything otherwise. */
export function refresh(projects: Projects, catalogs: Catalogs, argument: ProjectArgument): void {
  const profile = typeof argument === 'object' ? profileOf(argument) : undefined;
  if (profile) {
    catalogs.for(profile).forget();
    return;
  }
  catalogs.forgetAll();
  projects.refresh();
}
