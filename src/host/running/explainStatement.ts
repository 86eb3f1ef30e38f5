import * as vscode from 'vscode';
import { Emitter } from '../../base/emitter.ts';
import { isAbort } from '../../base/errors.ts';
import { planOf, stepsOf } from '../../model/queryPlan.ts';
import type { Profile } from '../../model/profiles.ts';
import { planRun } from '../../model/results/planRun.ts';
import type { Run } from '../../model/results/run.ts';
import { decodeStatisticsRow, type ProvenIndexes, type ProvenIndexesRequest } from '../../protocol/languageBridge.ts';
import type { ProvenIndexView } from '../../protocol/results.ts';
import { effectOf } from '../../sql/effect/statementEffect.ts';
import { queryPlanPrefix, queryPlanStatement } from '../../sql/running/queryPlanStatement.ts';
import { planStatistics } from '../../sql/plans/planCosts.ts';
import { statementLabel } from '../../sql/text/statementLabel.ts';
import type { Catalogs, Projects } from '../connections/projects.ts';
import type { Clients } from '../connections/clients.ts';
import type { RunMarks } from '../documents/runMarks.ts';
import type { SelectedStatement } from '../documents/selectedStatements.ts';
import { showError } from '../notifications.ts';
import { offerRemedy, orRemedy } from '../remedies.ts';
import type { Result, ResultSubject } from '../results/result.ts';
import type { ResultsView } from '../results/resultsView.ts';
import { runErrorMessage } from '../results/runProblem.ts';
import { markPlanSteps } from './planMarks.ts';
import { isChange, unusedWords, wordedPlan } from './planWords.ts';
import { fetchPlan } from './projectQueries.ts';
import { statementFault } from './statementFault.ts';

const maxTitleLength = 30;

export interface ExplainParts {
  readonly catalogs: Pick<Catalogs, 'for'>;
  readonly clients: Clients;
  readonly marks: RunMarks;
  readonly projects: Projects;
  readonly results: Pick<ResultsView, 'show'>;
  readonly proveIndexes: (request: ProvenIndexesRequest) => Promise<ProvenIndexes | undefined>;
  /** Runs a statement through the protection of its project. */
  readonly run: (profileId: string, sql: string) => Promise<Pick<Run, 'state'> | undefined>;
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
  const { lastRowCounts } = catalogs.for(profile);
  const lines = planOf(fetched.steps);
  const plan = wordedPlan(selected.sql, lines, planStatistics(fetched.statistics, lastRowCounts));
  let indexes: readonly ProvenIndexView[] = [];
  let unused: readonly string[] = [];
  let isCreating = false;
  const changes = new Emitter<void>();
  const subject: ResultSubject = {
    profile,
    statement: selected.sql,
    title: vscode.l10n.t('Plan: {0}', heading ?? table?.name ?? statementLabel(selected.sql, maxTitleLength)),
    plan,
    provenIndexes: {
      get: () => indexes,
      unused: () => unused,
      create: async index => {
        const chosen = indexes[index];
        if (!chosen || isCreating) return false;
        isCreating = true;
        let run: Pick<Run, 'state'> | undefined;
        await orRemedy(profile, async () => void (run = await parts.run(profile.id, chosen.sql)));
        isCreating = false;
        return run?.state === 'done';
      },
    },
    ...(document && { origin: { uri: document.uri.toString(), start, end, isUnchanged: false } }),
    rerun: from => explainIn(parts, profile.id, { document, selected, inPlaceOf: from }),
  };
  const stepMarks = document && markPlanSteps(document, selected, plan);
  await results.show(planRun(elapsedMs, { onClose: () => stepMarks?.dispose(), onChange: changes.on }), subject, {
    inPlaceOf,
  });
  const statement = sql.slice(queryPlanPrefix.length);
  const proven = await parts.proveIndexes({
    project: profile.id,
    statement,
    isChange: isChange(selected.sql),
    lines,
    statistics: fetched.statistics.flatMap(row => decodeStatisticsRow(row) ?? []),
    rowCounts: Array.from(lastRowCounts, ([name, count]) => ({ table: name, count: Number(count) })),
  });
  if (!proven) return;
  indexes = proven.indexes.map(index => ({ sql: index.sql, plan: stepsOf(index.lines) }));
  unused = proven.unused.map(reason => unusedWords(statement, reason));
  changes.fire();
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
