import * as vscode from 'vscode';
import type { Profile } from '../../model/profiles.ts';
import { projectNamesIn } from '../../sql/directives/projectLine.ts';
import type { StatementList } from '../../sql/text/statementIndex.ts';
import { showError } from '../notifications.ts';
import type { TextRange } from '../../model/statementMarks.ts';

/**
 * Says of a line `-- @project` between statements that it names another project than theirs. Only the head of a file is
 * followed, and whoever wrote the line means those below it to go elsewhere. False when there is none.
 */
export function complainOfOtherProject(
  { name, projectId }: Profile,
  statements: StatementList,
  selected: readonly TextRange[],
): boolean {
  const names = projectNamesIn(statements.slice(0, selected.at(-1)?.start ?? 0));
  const meant = selected.flatMap(({ start }) => names.findLast(line => line.start < start) ?? []);
  const other = meant.find(line => line.name !== name && line.name !== projectId);
  if (!other) return false;
  void showError(
    vscode.l10n.t(
      'The line -- @project {0} does not stand at the head of the file, so what follows it would go to {1}. A file belongs to one project: put those statements into another. Nothing was run.',
      ...[other.name, name],
    ),
  );
  return true;
}
