import { indexCandidates } from '../plans/indexCandidates.ts';
import { indexObstacles, lookupsIn, withIndex } from '../plans/indexObstacles.ts';
import { planCosts, planStatistics } from '../plans/planCosts.ts';
import { planPlaces } from '../plans/planPlaces.ts';
import { type PlanLine, planLines } from '../plans/planRead.ts';
import type { TableLookup } from '../tables/schemaTable.ts';
import { isSameName, keyOf } from '../text/names.ts';
import { quoteIdentifierIfNeeded, sqlLiteral, unquoted } from '../text/quoting.ts';
import { statisticsTables } from './automaticTables.ts';
import type { SqliteConnection } from './sqliteConnection.ts';

/** A row of sqlite_stat1. */
type StatisticsRow = Readonly<Record<'tbl' | 'stat', string> & Record<'idx', string | null>>;

export interface ExplainedStatement {
  readonly statement: string;
  /** The plan of the project's SQLite. */
  readonly lines: readonly PlanLine[];
  readonly isChange: boolean;
  readonly statistics: readonly StatisticsRow[];
  /** Counts of tables without statistics. */
  readonly counts: ReadonlyMap<string, number>;
}

interface ProofParts {
  /** A database with the tables and indexes that the statement depends on. */
  readonly connection: SqliteConnection;
  readonly schema: TableLookup;
  readonly isTaken: (name: string) => boolean;
}

const maxProven = 3;
/** A plan that costs more of the present one is not worth an index. */
const maxShareOfCost = 0.7;
/** A statement that costs less, in rows, needs no index. */
const minCost = 1000;

/**
 * `indexes` are those that SQLite uses for a statement and that make it much cheaper: at most one for each table in it. Each has the
 * plan that SQLite makes with it. `unused` are existing indexes that SQLite would use without a part of a condition. Undefined if
 * nothing can be proved.
 */
export function proveIndexes({ connection, schema, isTaken }: ProofParts, explained: ExplainedStatement) {
  const { statement, lines, isChange, statistics, counts } = explained;
  const sizes = planStatistics(statistics, counts);
  const explain = (text = statement): PlanLine[] =>
    withoutFilters(
      planLines(
        connection.rows(`EXPLAIN QUERY PLAN ${text}`).map(([id, parent, , detail]) => ({ id, parent, detail })),
      ),
    );
  const costOf = (plan: readonly PlanLine[]): number =>
    planCosts(plan, planPlaces(statement, plan), sizes, isChange).reduce((sum, { cost }) => sum + cost, 0);
  const deadline = connection.deadline();
  loadStatistics(connection, statistics);
  // Another version of SQLite, or tables that have changed since: nothing is proved then.
  if (textOf(explain()) !== textOf(withoutFilters(lines))) return undefined;
  const present = costOf(lines);
  if (present < minCost) return undefined;
  // The columns of each index, as a candidate names them. An expression has no name.
  const existing = connection.rows(`SELECT lower(t.name), (
      SELECT group_concat(lower(coalesce(name, '') || iif(coll = 'BINARY', '', ' COLLATE ' || coll))) || ','
      FROM pragma_index_xinfo(i.name) WHERE key)
    FROM sqlite_schema AS t, pragma_index_list(t.name) AS i WHERE t.type = 'table' AND NOT i.partial`);
  const proven = indexCandidates(statement, schema).flatMap(({ table, alias, terms }) => {
    const columns = `${terms.map(term => keyOf(unquoted(term))).join()},`;
    if (existing.some(([owner, own]) => owner === keyOf(table) && own?.startsWith(columns))) return [];
    const name = freeIndexName([table, ...terms].join(' '), isTaken);
    const sql = `CREATE INDEX ${quoteIdentifierIfNeeded(name)} ON ${quoteIdentifierIfNeeded(table)} (${terms.join(', ')})`;
    if (connection.isPast(deadline) || connection.execute(sql).kind !== 'ok') return [];
    connection.execute('ANALYZE sqlite_schema');
    const plan = explain();
    connection.execute(`DROP INDEX ${quoteIdentifierIfNeeded(name)}`);
    if (!usesIndex(plan, name)) return [];
    const cost = costOf(plan);
    const isSimpler = slowSteps(plan) < slowSteps(lines);
    return cost <= present * (isSimpler ? 1 : maxShareOfCost) ? [{ sql, lines: plan, alias, cost, terms }] : [];
  });
  const sorted = proven.toSorted((one, other) => one.cost - other.cost || one.terms.length - other.terms.length);
  const best = sorted.filter(({ alias }, index) => sorted.findIndex(other => isSameName(other.alias, alias)) === index);
  const reasons = indexObstacles(statement).flatMap(({ changed, kind, start, end, others }) => {
    const plan = connection.isPast(deadline) ? [] : explain(changed.sql);
    const lookup = lookupsIn(plan, changed.columns).find(({ index }) => index !== undefined);
    const cost = costOf(plan);
    if (lookup?.index === undefined || cost > present * maxShareOfCost) return [];
    const { name, index } = lookup;
    // SQLite has decided that another plan is cheaper.
    const isUsable = [lines, explain(withIndex(statement, name, index))].some(possible =>
      lookupsIn(possible, changed.columns).some(read => read.index === index),
    );
    if (isUsable || others?.every(({ sql, columns }) => lookupsIn(explain(sql), columns).length > 0)) return [];
    return [{ index, kind, start, end, cost }];
  });
  const cheapest = Map.groupBy(
    reasons.toSorted((one, other) => one.cost - other.cost),
    ({ index }) => index,
  );
  return {
    indexes: best.slice(0, maxProven).map(({ sql, lines: plan }) => ({ sql, lines: plan })),
    unused: [...cheapest.values()].slice(0, maxProven).map(([reason]) => reason!),
  };
}

/** SQLite decides about these filters by its version, and they change no other line. */
const withoutFilters = (plan: readonly PlanLine[]): PlanLine[] =>
  plan.filter(({ detail }) => !detail.startsWith('BLOOM FILTER '));

/** The number of steps that an index may save. */
const slowSteps = (plan: readonly PlanLine[]): number =>
  plan.filter(({ detail }) => /^SCAN | USING AUTOMATIC |^USE TEMP B-TREE FOR .*(?:GROUP|ORDER) BY$/.test(detail))
    .length;

const textOf = (plan: readonly PlanLine[]): string => plan.map(({ detail, depth }) => `${depth} ${detail}`).join('\n');

/** Has SQLite plan with the statistics of the project. */
function loadStatistics(connection: SqliteConnection, statistics: readonly StatisticsRow[]): void {
  const tables = new Set(connection.rows('SELECT lower(name) FROM sqlite_schema').map(([name]) => name));
  const loaded = statistics.filter(({ tbl }) => tables.has(keyOf(tbl)));
  if (loaded.length === 0) return;
  connection.execute(statisticsTables.main.sql);
  const rows = loaded.map(({ tbl, idx, stat }) => `(${[tbl, idx, stat].map(sqlLiteral).join(', ')})`);
  connection.execute(
    `DELETE FROM sqlite_stat1; INSERT INTO sqlite_stat1 VALUES ${rows.join(', ')}; ANALYZE sqlite_schema`,
  );
}

const usesIndex = (plan: readonly PlanLine[], index: string): boolean =>
  plan.some(({ detail }) => ` ${detail} `.includes(` INDEX ${index} `));

const maxNameLength = 60;

function freeIndexName(name: string, isTaken: (name: string) => boolean): string {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter(word => word !== '');
  const base = words.join('_').slice(0, maxNameLength);
  let free = base;
  for (let number = 2; isTaken(free); number++) free = `${base}_${number}`;
  return free;
}
