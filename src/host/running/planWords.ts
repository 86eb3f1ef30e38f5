import { l10n } from 'vscode';
import { cutText, oneLine } from '../../base/oneLine.ts';
import type { UnusedIndex } from '../../protocol/languageBridge.ts';
import type { PlanStepView } from '../../protocol/results.ts';
import { effectOf } from '../../sql/effect/statementEffect.ts';
import { type PlanCost, planCosts, type PlanStatistics } from '../../sql/plans/planCosts.ts';
import { planPlaces } from '../../sql/plans/planPlaces.ts';
import { type PlanRead, planReadOf } from '../../sql/plans/planRead.ts';
import { rowsText } from '../numbers.ts';

const maxRanks = 3;
/** A step that costs a smaller part of the costliest one is not worth a look. */
const minShareOfCost = 0.05;

/** The steps of a plan in words, each with its place in the statement. The costliest have ranks. */
export function wordedPlan(
  statement: string,
  steps: readonly PlanStepView[],
  statistics: PlanStatistics,
): PlanStepView[] {
  const places = planPlaces(statement, steps);
  const costs = planCosts(steps, places, statistics, isChange(statement));
  const sorted = costs.map(({ cost }) => cost).toSorted((one, other) => other - one);
  const least = Math.max(sorted[maxRanks - 1] ?? 0, sorted[0]! * minShareOfCost, 1);
  return steps.map((step, index) => {
    const cost = costs[index]!;
    const { start, end } = places[index] ?? {};
    return {
      ...step,
      words: planWords(step.detail, cost),
      ...(start !== undefined && end !== undefined && { place: { start, end } }),
      ...(cost.cost >= least && { rank: sorted.indexOf(cost.cost) + 1 }),
    };
  });
}

/** Whether foreign keys may add steps of other tables to the plan. */
export const isChange = (statement: string): boolean =>
  effectOf(statement).tables.some(({ access }) => access === 'write');

/** Says what a step does. Empty for a step that SQLite does not have. */
function planWords(detail: string, { table, tableRows, outer }: PlanCost): string {
  const read = planReadOf(detail);
  if (!read) return otherWords(detail, shortName(outer ?? ''));
  const words = readWords({ ...read, name: table ?? read.name }, tableRows);
  return outer === undefined ? l10n.t('{0}.', words) : l10n.t('{0}, once per row of {1}.', words, shortName(outer));
}

const maxNameLength = 60;
const maxConditionLength = 100;

/** Says why SQLite does not use an index for a condition of a statement. */
export function unusedWords(statement: string, { index, kind, start, end }: UnusedIndex): string {
  const reasons = {
    expression: l10n.t('the column is within an expression.'),
    collation: l10n.t('the comparison has another collation than the index.'),
    affinity: l10n.t('its two sides have different type affinities.'),
    like: l10n.t('LIKE ignores case, and the index does not. SQLite can use an index with COLLATE NOCASE.'),
    or: l10n.t('SQLite can use it only if there is an index for each part of OR.'),
  } satisfies Record<UnusedIndex['kind'], string>;
  const condition = oneLine(statement.slice(start, end), maxConditionLength);
  return l10n.t('The index {0} is not used for {1}: {2}', shortName(index), condition, reasons[kind]);
}

/** SQLite numbers the queries that have no name. */
const shortName = (name: string): string =>
  /^\(subquery-\d+\)$/.test(name) ? l10n.t('the subquery') : cutText(name, maxNameLength);

function readWords(read: PlanRead, tableRows: number | undefined): string {
  const { isSearch, way, isExists, isLeftJoin } = read;
  const name = shortName(read.name);
  const index = shortName(read.index ?? '');
  const source = read.isCovering ? l10n.t('the index {0} in place of {1}', index, name) : name;
  let words = isSearch ? searchWords(read, source) : scanWords(source, tableRows);
  if (way === 'virtual') words = l10n.t('Reads the rows that the virtual table {0} finds', name);
  if (way === 'index' && !read.isCovering) {
    words = isSearch
      ? l10n.t('{0} by the index {1}', words, index)
      : l10n.t('{0} in the order of the index {1}', words, index);
  }
  if (isExists) return l10n.t('{0}, up to the first match', words);
  return isLeftJoin ? l10n.t('{0}, and keeps rows without a match', words) : words;
}

const scanWords = (source: string, rows: number | undefined): string =>
  rows === undefined
    ? l10n.t('Reads all rows of {0}', source)
    : l10n.t('Reads all {0} (estimated) of {1}', rowsText(rows), source);

function searchWords({ way, terms, equalTerms }: PlanRead, source: string): string {
  if (terms === undefined && way === 'table') return l10n.t('Finds the smallest or largest value of {0}', source);
  if (terms === undefined) return l10n.t('Reads the first or last row of {0}', source);
  if (way === 'automatic') return l10n.t('Makes an index of {0} for this run alone, and looks up rows in it', source);
  const words = equalTerms > 0 ? l10n.t('Looks up {0}', source) : l10n.t('Reads a range of {0}', source);
  return way === 'index' ? words : l10n.t('{0} by its primary key', words);
}

/** The sentences of the other lines, by their patterns. `part` is the name or number in it. */
const otherLines: readonly (readonly [pattern: RegExp, words: (part: string, outer: string) => string])[] = [
  [/^USE TEMP B-TREE FOR ORDER BY$/, () => l10n.t('Sorts in a temporary B-tree because no index has this order.')],
  [/ OF ORDER BY$/, () => l10n.t('Sorts the last terms in a temporary B-tree because no index has all of this order.')],
  [/ FOR GROUP BY$/, () => l10n.t('Sorts for the groups in a temporary B-tree because no index has this order.')],
  [/ FOR DISTINCT$/, () => l10n.t('Leaves out repeated rows with a temporary B-tree.')],
  [/ FOR (.+)\(DISTINCT\)$/s, part => l10n.t('Leaves out repeated values of {0}() with a temporary B-tree.', part)],
  [/ FOR (.+)\(ORDER BY\)$/s, part => l10n.t('Sorts the values of {0}() in a temporary B-tree.', part)],
  [/^MULTI-INDEX OR$/, () => l10n.t('Looks up rows for each part of OR, and takes each row once.')],
  [/^INDEX (\d+)$/, part => l10n.t('Part {0} of OR.', part)],
  [/^BLOOM FILTER ON (.+?)(?: \(.*\))?$/s, part => l10n.t('Skips rows without a match in {0} early.', part)],
  [/^CREATE BLOOM FILTER$/, () => l10n.t('Makes a filter that skips values that are not in the list.')],
  [/^CO-ROUTINE (.+)$/s, part => l10n.t('Runs {0} row by row, as its rows are needed.', part)],
  [/^MATERIALIZE (.+)$/s, part => l10n.t('Runs {0} once, and keeps its rows in a temporary table.', part)],
  [/^CORRELATED SCALAR SUBQUERY \d+$/, (_, outer) => l10n.t('Runs the subquery once per row of {0}.', outer)],
  [/^SCALAR SUBQUERY \d+$/, () => l10n.t('Runs the subquery once.')],
  [/^CORRELATED LIST SUBQUERY \d+$/, (_, outer) => l10n.t('Makes the list of IN once per row of {0}.', outer)],
  [/^LIST SUBQUERY \d+$/, () => l10n.t('Makes the list of IN once.')],
  [/^REUSE (?:LIST )?SUBQUERY \d+$/, () => l10n.t('Uses the rows of the subquery again.')],
  [/^USING INDEX (.+) FOR IN-OPERATOR$/s, part => l10n.t('Looks up the values of IN in the index {0}.', part)],
  [/ ON TABLE (.+) FOR IN-OPERATOR$/s, part => l10n.t('Looks up the values of IN in {0} by its primary key.', part)],
  [/^RIGHT-JOIN (.+)$/s, part => l10n.t('Adds the rows of {0} without a match.', part)],
  [/^COMPOUND QUERY$/, () => l10n.t('Runs several queries one after the other.')],
  [/^(?:LEFT-MOST SUBQUERY|LEFT)$/, () => l10n.t('The first query.')],
  [/^RIGHT$/, () => l10n.t('The second query.')],
  [/^UNION ALL$/, () => l10n.t('Adds the rows of the next query.')],
  [/^UNION USING/, () => l10n.t('Adds the next query without repeated rows, which a temporary B-tree finds.')],
  [/^EXCEPT USING/, () => l10n.t('Removes the rows of the next query with a temporary B-tree.')],
  [/^INTERSECT USING/, () => l10n.t('Keeps only rows that the next query has, too, with a temporary B-tree.')],
  [/^MERGE \((.+)\)$/, part => l10n.t('Merges two sorted queries for {0}.', part)],
  [/^SETUP$/, () => l10n.t('Makes the first rows of the recursion.')],
  [/^RECURSIVE STEP$/, () => l10n.t('Runs once per new row, until there is none.')],
  [/^SCAN CONSTANT ROW$/, () => l10n.t('Makes a row without reading a table.')],
  [
    /^SCAN (\d+)(?:-ROW VALUES| CONSTANT)/,
    part => l10n.t('Makes {0} without reading a table.', rowsText(Number(part))),
  ],
];

function otherWords(detail: string, outer: string): string {
  for (const [pattern, words] of otherLines) {
    const match = pattern.exec(detail);
    if (match) return words(shortName(match[1] ?? ''), outer);
  }
  return '';
}
