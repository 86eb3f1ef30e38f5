import * as vscode from 'vscode';
import { misuse } from '../../base/errors.ts';
import { isCut } from '../../model/history/historyEntry.ts';
import type { Profile } from '../../model/profiles.ts';
import { StatementRun } from '../../model/results/statementRun.ts';
import type { Column } from '../../wire/values.ts';
import type { WindowParts } from '../composition.ts';
import { showInformation } from '../notifications.ts';
import type { Result } from '../results/result.ts';

type InsightParts = Pick<WindowParts, 'history' | 'results' | 'running'>;

/** Nobody looks through more. They are those that took most of the time. */
const maxInsights = 1000;

/** Shows how often and how long the statements of a project ran, as a result. A row leads to the plan of its statement. */
export async function showInsights(parts: InsightParts, profile: Profile, inPlaceOf?: Result): Promise<void> {
  const { results, running } = parts;
  const history = await parts.history();
  const insights = await history.call('insights', { profileId: profile.id, count: maxInsights });
  if (insights.length === 0) {
    void showInformation(vscode.l10n.t("The history has no statements of '{0}'.", profile.name));
    return;
  }
  const columns: readonly Column[] = [
    vscode.l10n.t('Statement'),
    vscode.l10n.t('Runs'),
    vscode.l10n.t('Total (ms)'),
    vscode.l10n.t('Mean (ms)'),
    vscode.l10n.t('Slowest (ms)'),
    vscode.l10n.t('Rows'),
  ].map((name, nth) => ({ name, type: '', key: `c${nth}` }));
  const rows = insights.map(({ statement, runs, totalMs, slowestMs, rows: rowCount }) =>
    JSON.stringify({
      c0: statement,
      c1: runs,
      c2: rounded(totalMs),
      c3: rounded(totalMs / runs),
      c4: rounded(slowestMs),
      c5: rowCount,
    }),
  );
  const run = new StatementRun({
    ...(await results.runParts()),
    send: async () => ({
      columns,
      rawBatches: async function* () {
        yield { bytes: Buffer.from(rows.join(',')), rowCount: rows.length };
      },
    }),
  });
  const title = vscode.l10n.t('Statement Insights');
  const subject = {
    profile,
    statement: title,
    title,
    link: { column: 0, leadsTo: 'plan' } as const,
    follow: async (row: number) => {
      const insight = insights[run.queries.sourceRow?.(row) ?? row];
      if (!insight) return;
      if (isCut(insight)) throw misuse('statement_cut', cutNote());
      await (await running()).explainSql(profile.id, insight.sql);
    },
    rerun: (from: Result) => showInsights(parts, profile, from),
  };
  await results.show(run, subject, { inPlaceOf });
}

export const cutNote = (): string => vscode.l10n.t('The history has only the beginning of this statement.');

const rounded = (milliseconds: number): number => Math.round(milliseconds * 100) / 100;
