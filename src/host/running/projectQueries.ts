import * as vscode from 'vscode';
import { delay, monotonicClock } from '../../base/clock.ts';
import { isAbort } from '../../base/errors.ts';
import type { BoundSql } from '../../model/boundSql.ts';
import type { Profile } from '../../model/profiles.ts';
import { placeholders } from '../../sql/parameters/placeholders.ts';
import { positionalText } from '../../sql/parameters/positionalText.ts';
import { maxSmallAnswerBytes } from '../../wire/answerLimits.ts';
import type { Row, SqlParameter } from '../../wire/values.ts';
import type { Clients } from '../connections/clients.ts';
import { withProgress } from '../progress.ts';
import type { TouchedRowCount } from '../../model/touchedRows.ts';
import { statisticsQuery } from '../../sql/running/queryPlanStatement.ts';

/** `sql` is a SELECT that counts rows. Undefined when the user cancels. */
export async function countAffectedRows(
  clients: Clients,
  profile: Profile,
  sql: string,
  params: readonly SqlParameter[],
): Promise<TouchedRowCount | undefined> {
  try {
    const title = vscode.l10n.t('Counting the affected rows…');
    const [row = {}] = await read(clients, profile, title, { sql, params });
    const [count] = Object.values(row);
    if (typeof count === 'number' || typeof count === 'bigint') return count;
    throw new Error('The service returned no number.');
  } catch (thrown) {
    if (isAbort(thrown)) return undefined;
    throw thrown;
  }
}

/** A plan waits this long for the statistics, which were sent for at the same time. */
const statisticsWaitMs = 300;

/**
 * The rows of an EXPLAIN QUERY PLAN statement, and those of sqlite_stat1 if they come in time. The plan needs no values, but the
 * service wants one for each placeholder, so all are NULL.
 */
export async function fetchPlan(
  clients: Clients,
  profile: Profile,
  sql: string,
): Promise<Readonly<Record<'steps' | 'statistics', readonly Row[]>>> {
  const title = vscode.l10n.t('Loading the plan from {0}…', profile.name);
  const params = placeholders(sql).map(() => null);
  return withProgress(title, async signal => {
    const loading = readWith(clients, profile, { sql, params }, signal);
    const statistics = readWith(clients, profile, { sql: statisticsQuery, params: [] }, signal).catch(() => []);
    const steps = await loading;
    const atLatest = delay(monotonicClock, statisticsWaitMs, signal).then(() => []);
    return { steps, statistics: await Promise.race([statistics, atLatest]) };
  });
}

const read = (clients: Clients, profile: Profile, title: string, query: BoundSql): Promise<readonly Row[]> =>
  withProgress(title, signal => readWith(clients, profile, query, signal));

async function readWith(
  clients: Clients,
  profile: Profile,
  query: BoundSql,
  signal: AbortSignal,
): Promise<readonly Row[]> {
  const client = await clients.for(profile);
  const request = { ...query, sql: positionalText(query.sql).text };
  const options = { signal, isReadOnly: true, maxAnswerBytes: maxSmallAnswerBytes };
  const { rows } = await client.execSql(profile.projectId, request, options);
  return rows;
}
