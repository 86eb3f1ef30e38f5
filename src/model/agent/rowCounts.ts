import { isAbort } from '../../base/errors.ts';
import { keyOf } from '../../sql/text/names.ts';
import { quoteIdentifier } from '../../sql/text/quoting.ts';
import type { ToolCall } from './agentTool.ts';

/** Counting ends here: it must cost little, and an agent treats all longer tables in the same way. */
const maxCounted = 10_000;
/** The rows of more tables are not counted. */
export const maxCountedTables = 50;

/** How many rows tables have, by the keys of their names. Empty if the service refuses or the answer does not fit. */
export async function countRows(tables: readonly string[], call: Pick<ToolCall, 'ask'>): Promise<Map<string, string>> {
  const counted = tables.slice(0, maxCountedTables);
  if (counted.length === 0) return new Map();
  const counts = counted.map(
    (table, index) =>
      `(SELECT count(*) FROM (SELECT 1 FROM main.${quoteIdentifier(table)} LIMIT ${maxCounted + 1})) AS n${index}`,
  );
  try {
    const [row] = (await call.ask(`SELECT ${counts.join(', ')}`, [])).rows;
    const numbers = counted.map((table, index) => [keyOf(table), Number(row?.[`n${index}`])] as const);
    return new Map(numbers.flatMap(([key, count]) => (Number.isNaN(count) ? [] : [[key, countText(count)]])));
  } catch (thrown) {
    if (isAbort(thrown)) throw thrown;
    return new Map();
  }
}

function countText(count: number): string {
  if (count > maxCounted) return `more than ${maxCounted} rows`;
  return count === 1 ? '1 row' : `${count} rows`;
}
