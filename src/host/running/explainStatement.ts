import * as vscode from 'vscode';
import type { Profile } from '../../model/profiles.ts';
import { queryPlanStatement } from '../../sql/running/queryPlanStatement.ts';
import type { Row } from '../../wire/values.ts';
import type { Clients } from '../connections/clients.ts';
import type { RunMarks } from '../documents/runMarks.ts';
import type { SelectedStatement } from '../documents/selectedStatements.ts';
import { errorMessage } from '../errorMessages.ts';
import { refuseNamedParameters } from './parameters/bindParameters.ts';
import { fetchPlan } from './projectQueries.ts';
import type { QueryPlanView } from './queryPlanView.ts';
import { statementFault } from './statementFault.ts';
import { vscodeRunPrompts } from './vscodeRunPrompts.ts';

export interface ExplainParts {
  readonly clients: Clients;
  readonly marks: RunMarks;
  readonly plan: QueryPlanView;
}

/** Shows the query plan of a statement. A statement with a fault gets a mark instead, and the error is thrown on. */
export async function explainStatement(
  { clients, marks, plan }: ExplainParts,
  profile: Profile,
  document: vscode.TextDocument,
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
    const fault = statementFault(sql, thrown, errorMessage(thrown));
    if (fault) {
      const start = Math.max(0, fault.start - shift);
      const end = fault.end - shift;
      marks.put(document, selected, { kind: 'failed', elapsedMs, fault: { ...fault, start, end } });
    }
    throw thrown;
  }
  await plan.show(rows, profile, selected.sql);
}
