import * as vscode from 'vscode';
import { planOf } from '../../model/queryPlan.ts';
import type { Profile } from '../../model/profiles.ts';
import { PlanRun } from '../../model/results/planRun.ts';
import { effectOf } from '../../sql/effect/statementEffect.ts';
import { statementLabel } from '../../sql/text/statementLabel.ts';
import type { Row } from '../../wire/values.ts';
import type { SelectedStatement } from '../documents/selectedStatements.ts';
import type { Result, ResultSubject } from '../results/result.ts';
import type { ResultsView } from '../results/resultsView.ts';

const maxTitleLength = 30;

interface PlanTabParts {
  readonly results: Pick<ResultsView, 'show'>;
  readonly profile: Profile;
  /** Undefined when the document is gone. */
  readonly document: vscode.TextDocument | undefined;
  readonly selected: SelectedStatement;
  /** The plan that the new one replaces. */
  readonly inPlaceOf?: Result | undefined;
  /** Explains the statement of a plan again. */
  readonly explain: (from: Result) => Promise<void>;
}

/** Shows a query plan as a tab among the results. The plan of the same statement takes its place. */
export async function showPlan(rows: readonly Row[], elapsedMs: number, parts: PlanTabParts): Promise<void> {
  const { results, profile, document, selected, inPlaceOf, explain } = parts;
  const { sql, start, end } = selected;
  const [table] = effectOf(sql).tables;
  const subject: ResultSubject = {
    profile,
    statement: sql,
    title: vscode.l10n.t('Plan: {0}', table?.name ?? statementLabel(sql, maxTitleLength)),
    plan: planOf(rows),
    ...(document && { origin: { uri: document.uri.toString(), start, end, isUnchanged: false } }),
    rerun: explain,
  };
  await results.show(new PlanRun(elapsedMs), subject, { inPlaceOf });
}
