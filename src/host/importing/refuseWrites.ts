import * as vscode from 'vscode';
import type { Profile } from '../../model/profiles.ts';

/** True if the project is read-only; a message says so. */
export async function refuseWrites(profile: Profile): Promise<boolean> {
  if (!vscode.workspace.isTrusted) {
    throw new Error(
      vscode.l10n.t('The workspace is not trusted, so no rows are written. Trust the workspace, then try again.'),
    );
  }
  if (profile.protection !== 'readOnly') return false;
  const { refuseStatement } = await import('../running/running.ts');
  return refuseStatement(profile, 'INSERT INTO t VALUES (1)');
}
