import * as vscode from 'vscode';
import type { Profile } from '../../model/profiles.ts';
import { queryPlanStatement } from '../../sql/running/queryPlanStatement.ts';
import type { Row } from '../../wire/values.ts';
import type { Clients } from '../connections/clients.ts';
import type { RunMarks } from '../documents/runMarks.ts';
import type { SelectedStatement } from '../documents/selectedStatements.ts';
import { runErrorMessage } from '../results/runErrorMessage.ts';
import { showError } from '../notifications.ts';
import { refuseNamedParameters } from './parameters/bindParameters.ts';
import { fetchPlan } from './projectQueries.ts';
import { statementFault } from './statementFault.ts';
import { vscodeRunPrompts } from './vscodeRunPrompts.ts';

interface ExplainParts {
  readonly clients: Clients;
  readonly marks: RunMarks;
  /** Shows the rows of the plan. */
  readonly showPlan: (rows: readonly Row[], elapsedMs: number) => Promise<void>;
}

/** Shows the query plan of a statement. A statement with a fault gets a mark and a message instead; other errors are thrown on. */
export async function explainStatement(
  { clients, marks, showPlan }: ExplainParts,
  profile: Profile,
  document: vscode.TextDocument | undefined,
  selected: SelectedStatement,
): Promise<void> {
  if (refuseNamedParameters(vscodeRunPrompts, selected.sql)) return;
  const { sql, shift } = queryPlanStatement(selected.sql);
  const startedAt = performance.now();
  let rows: readonly Row[];
  try {
    rows = await fetchPlan(clients, profile, sql);
  } catch (thrown) {
    if (thrown instanceof vscode.CancellationError) return;
    const elapsedMs = performance.now() - startedAt;
    const fault = statementFault(sql, thrown, runErrorMessage(thrown));
    if (fault) {
      const start = Math.max(0, fault.start - shift);
      const end = fault.end - shift;
      if (document) marks.put(document, selected, { kind: 'failed', elapsedMs, fault: { ...fault, start, end } });
      void showError(fault.message);
      return;
    }
    throw thrown;
  }
  await showPlan(rows, performance.now() - startedAt);
}
