import * as vscode from 'vscode';
import type { Profile } from '../../model/profiles.ts';
import type { Projects } from '../connections/projects.ts';
import { showInformation } from '../notifications.ts';
import { offerProjects } from '../remedies.ts';
import { profileOf, type TreeNode } from '../tree/treeNodes.ts';

/** The argument of a command: a node of the tree, a project's id, or nothing when the command palette runs it. */
export type ProjectArgument = TreeNode | string | undefined;

/** The project of a command's argument. Without one, the user chooses among the projects that the command accepts. */
export async function resolveProject(
  projects: Projects,
  argument: ProjectArgument,
  accepts: (profile: Profile) => boolean = () => true,
): Promise<Profile | undefined> {
  if (typeof argument === 'string') return projects.find(argument);
  const profile = argument && profileOf(argument);
  if (profile) return profile;
  const { profiles } = await projects.list();
  if (profiles.length === 0) {
    await offerProjects();
    return undefined;
  }
  const accepted = profiles.filter(accepts);
  if (accepted.length === 0) void showInformation(noneInSettings());
  const { promptForProject } = await import('../connections/projectPrompts.ts');
  return promptForProject(accepted);
}

const noneInSettings = (): string =>
  vscode.l10n.t(
    'This is for projects of your settings, and there is none. Those of a local service come and go with it.',
  );
