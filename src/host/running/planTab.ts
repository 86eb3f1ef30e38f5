import * as vscode from 'vscode';
import { planOf } from '../../model/queryPlan.ts';
import type { Profile } from '../../model/profiles.ts';
import { PlanRun } from '../../model/results/planRun.ts';
import { effectOf } from '../../sql/effect/statementEffect.ts';
import { statementLabel } from '../../sql/text/statementLabel.ts';
import type { Row } from '../../wire/values.ts';
import type { SelectedStatement } from '../documents/selectedStatements.ts';
import type { ResultsView } from '../results/resultsView.ts';

const maxTitleLength = 30;

export interface PlanTabParts {
  readonly results: Pick<ResultsView, 'show'>;
  readonly profile: Profile;
  readonly document: vscode.TextDocument;
  readonly selected: SelectedStatement;
  /** Explains the statement again. */
  readonly explain: () => Promise<void>;
}

/** Shows a query plan as a tab among the results. The plan of the same statement takes its place. */
export async function showPlan(rows: readonly Row[], elapsedMs: number, parts: PlanTabParts): Promise<void> {
  const { results, profile, document, selected, explain } = parts;
  const { sql, start, end } = selected;
  const [table] = effectOf(sql).tables;
  await results.show(new PlanRun(elapsedMs), {
    profile,
    statement: sql,
    title: vscode.l10n.t('Plan: {0}', table?.name ?? statementLabel(sql, maxTitleLength)),
    plan: planOf(rows),
    origin: { uri: document.uri.toString(), start, end, isUnchanged: false },
    rerun: explain,
  });
}
