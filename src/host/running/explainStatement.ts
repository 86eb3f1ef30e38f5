import * as vscode from 'vscode';
import { isAbort } from '../../base/errors.ts';
import { planOf } from '../../model/queryPlan.ts';
import type { Profile } from '../../model/profiles.ts';
import { planRun } from '../../model/results/planRun.ts';
import { effectOf } from '../../sql/effect/statementEffect.ts';
import { queryPlanStatement } from '../../sql/running/queryPlanStatement.ts';
import { planStatistics } from '../../sql/plans/planCosts.ts';
import { statementLabel } from '../../sql/text/statementLabel.ts';
import type { Catalogs } from '../connections/catalogs.ts';
import type { Clients } from '../connections/clients.ts';
import type { Projects } from '../connections/projects.ts';
import type { RunMarks } from '../documents/runMarks.ts';
import type { SelectedStatement } from '../documents/selectedStatements.ts';
import { showError } from '../notifications.ts';
import { offerRemedy } from '../remedies.ts';
import type { Result, ResultSubject } from '../results/result.ts';
import type { ResultsView } from '../results/resultsView.ts';
import { runErrorMessage } from '../results/runProblem.ts';
import { markPlanSteps } from './planMarks.ts';
import { wordedPlan } from './planWords.ts';
import { fetchPlan } from './projectQueries.ts';
import { statementFault } from './statementFault.ts';

const maxTitleLength = 30;

interface ExplainParts {
  readonly catalogs: Pick<Catalogs, 'for'>;
  readonly clients: Clients;
  readonly marks: RunMarks;
  readonly projects: Projects;
  readonly results: Pick<ResultsView, 'show'>;
}

interface ExplainedStatement {
  readonly profile: Profile;
  /** Undefined when the document is gone. */
  readonly document: vscode.TextDocument | undefined;
  readonly selected: SelectedStatement;
  /** The plan that the new one replaces. */
  readonly inPlaceOf?: Result | undefined;
}

/** Shows the query plan of a statement. A fault in the statement is marked and shown. Other errors are thrown on. */
export async function explainStatement(
  parts: ExplainParts,
  { profile, document, selected, inPlaceOf }: ExplainedStatement,
): Promise<void> {
  const { catalogs, clients, marks, results } = parts;
  const { sql, shift } = queryPlanStatement(selected.sql);
  const startedAt = performance.now();
  let fetched: Awaited<ReturnType<typeof fetchPlan>>;
  try {
    fetched = await fetchPlan(clients, profile, sql);
  } catch (thrown) {
    if (isAbort(thrown)) return;
    const elapsedMs = performance.now() - startedAt;
    const fault = statementFault(sql, thrown, runErrorMessage(thrown));
    if (!fault) throw thrown;
    const start = Math.max(0, fault.start - shift);
    const end = fault.end - shift;
    marks.put(document, selected, { kind: 'failed', elapsedMs, fault: { ...fault, start, end } });
    void showError(fault.message);
    return;
  }
  const elapsedMs = performance.now() - startedAt;
  const { start, end, heading } = selected;
  const [table] = effectOf(selected.sql).tables;
  const statistics = planStatistics(fetched.statistics, catalogs.for(profile).lastRowCounts);
  const plan = wordedPlan(selected.sql, planOf(fetched.steps), statistics);
  const subject: ResultSubject = {
    profile,
    statement: selected.sql,
    title: vscode.l10n.t('Plan: {0}', heading ?? table?.name ?? statementLabel(selected.sql, maxTitleLength)),
    plan,
    ...(document && { origin: { uri: document.uri.toString(), start, end, isUnchanged: false } }),
    rerun: from => explainIn(parts, profile.id, { document, selected, inPlaceOf: from }),
  };
  const stepMarks = document && markPlanSteps(document, selected, plan);
  await results.show(
    planRun(elapsedMs, () => stepMarks?.dispose()),
    subject,
    { inPlaceOf },
  );
}

/** Explains a statement in a project, which need not be that of its document. */
export async function explainIn(
  parts: ExplainParts,
  profileId: string,
  statement: Omit<ExplainedStatement, 'profile'>,
): Promise<void> {
  const { projects } = parts;
  try {
    await explainStatement(parts, { ...statement, profile: await projects.get(profileId) });
  } catch (thrown) {
    await offerRemedy(thrown, await projects.find(profileId));
  }
}
