import * as vscode from 'vscode';
import { ProjectError } from '../../base/errors.ts';
import type { Profile } from '../../model/profiles.ts';

/** A read-only project takes no rows. True if the user was told so. */
export async function refuseWrites(profile: Profile): Promise<boolean> {
  if (!vscode.workspace.isTrusted) {
    throw new ProjectError('misuse', 'untrusted_workspace', 'The workspace is not trusted.');
  }
  if (profile.protection !== 'readOnly') return false;
  const { refuseStatement } = await import('../running/running.ts');
  return refuseStatement(profile, 'INSERT INTO t VALUES (1)');
}
