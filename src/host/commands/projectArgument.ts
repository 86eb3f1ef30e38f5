import * as vscode from 'vscode';
import type { Profile } from '../../model/profiles.ts';
import type { Projects } from '../connections/projects.ts';
import { showInformation } from '../notifications.ts';
import { offerProjects } from '../remedies.ts';
import { profileOf, type TreeNode } from '../tree/treeNodes.ts';

/** The argument of a command: a node of the tree, a project's id, or nothing when the command palette runs it. */
export type ProjectArgument = TreeNode | string | undefined;

/** The project of a command's argument. Without one, it is the only project that the command accepts, or the user chooses. */
export async function projectOfArgument(
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
  if (accepted.length === 0) {
    void showInformation(vscode.l10n.t('This command does not apply to any of your projects.'));
  }
  if (accepted.length <= 1) return accepted[0];
  const { promptForProject } = await import('../connections/projectPrompts.ts');
  return promptForProject(accepted);
}
