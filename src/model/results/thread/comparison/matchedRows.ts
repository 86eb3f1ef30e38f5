import type { CommonColumn } from '../../comparison.ts';
import type { Job } from '../../../job.ts';
import { ComparedRowReader, type SourceRows } from './sourceRows.ts';

/** The match of a row that its source alone has. */
export const alone = 0xffffffff;
/** The match of a row that shares its key with another row of its source. All smaller matches are rows of the other source. */
export const duplicate = 0xfffffffe;

/** Reading the clock takes longer than comparing equal rows. */
export const rowsPerTurn = 64;

export type Matches = readonly [before: Uint32Array, after: Uint32Array];

interface MatchParts {
  readonly job: Job;
  /** Sorted. */
  readonly sources: readonly [before: SourceRows, after: SourceRows];
  readonly identity: readonly CommonColumn[];
  readonly hasKey: boolean;
}

/**
 * Matches the rows of two sources. Rows of equal hashes are read and compared, except for a single one of each source: such a
 * pair is read later, in the order of the files. Equal whole rows are paired as often as both sources have them.
 */
export async function matchRows({ job, sources, identity, hasKey }: MatchParts): Promise<Matches> {
  const [before, after] = sources;
  const readers = [new ComparedRowReader(before), new ComparedRowReader(after)] as const;
  const matches: Matches = [new Uint32Array(before.rowCount).fill(alone), new Uint32Array(after.rowCount).fill(alone)];
  const pair = (row: number, other: number): void => {
    matches[0][row] = other;
    matches[1][other] = row;
  };
  const matchGroup = async (rows: readonly [before: Uint32Array, after: Uint32Array]): Promise<void> => {
    const equal = new Map<string, readonly [before: number[], after: number[]]>();
    for (const side of [0, 1] as const) {
      for (const row of rows[side]) {
        const { cells } = readers[side].read(row);
        const values = identity.map(column => cells.exactText(side === 0 ? column.before : column.after));
        const text = JSON.stringify(values);
        const lists = equal.get(text) ?? [[], []];
        lists[side].push(row);
        equal.set(text, lists);
        if (job.isTurnOver) await job.turn();
      }
    }
    for (const lists of equal.values()) {
      const isDuplicate = hasKey && lists.some(({ length }) => length > 1);
      if (isDuplicate) lists.forEach((list, side) => list.forEach(row => (matches[side]![row] = duplicate)));
      else lists[0].slice(0, lists[1].length).forEach((row, nth) => pair(row, lists[1][nth]!));
    }
  };
  let groups = 0;
  let first = 0;
  let second = 0;
  while (first < before.order.length || second < after.order.length) {
    const hash = Math.min(before.hashes[first] ?? Infinity, after.hashes[second] ?? Infinity);
    const firstEnd = before.endOfGroup(first, hash);
    const secondEnd = after.endOfGroup(second, hash);
    const least = Math.min(firstEnd - first, secondEnd - second);
    const most = Math.max(firstEnd - first, secondEnd - second);
    if (least === 1 && most === 1) pair(before.order[first]!, after.order[second]!);
    else if (hasKey ? most > 1 : least > 0) {
      await matchGroup([before.order.subarray(first, firstEnd), after.order.subarray(second, secondEnd)]);
    }
    first = firstEnd;
    second = secondEnd;
    if (++groups % rowsPerTurn === 0 && job.isTurnOver) await job.turn();
  }
  return matches;
}
