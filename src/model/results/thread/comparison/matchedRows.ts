import type { Job } from '../job.ts';
import type { ColumnPair } from './compareRows.ts';
import { PairBatch } from './pairBatch.ts';
import type { SourceRows } from './sourceRows.ts';

/** The verdict on a row. Only one source has a row that is `alone`. */
export const verdicts = { same: 0, alone: 1, changed: 2, duplicate: 3 } as const;

const noRow = 0xffffffff;
const unchanged: readonly ColumnPair[] = [];
/** Reading the clock takes longer than comparing equal rows. */
const rowsPerTurn = 64;

interface MatchParts {
  readonly job: Job;
  /** Sorted. */
  readonly sources: readonly [before: SourceRows, after: SourceRows];
  /** The columns that identify a row, and the others. */
  readonly identity: readonly ColumnPair[];
  readonly others: readonly ColumnPair[];
  /** Without a key, whole rows are compared. */
  readonly hasKey: boolean;
  /** Whether rows of the same bytes have the same values. */
  readonly comparesBytes: boolean;
}

type RowLists = readonly [before: ArrayLike<number>, after: ArrayLike<number>];

/**
 * Matches the rows of two sources. Rows of equal hashes are only candidates: they are read and compared exactly. NULL equals
 * NULL. Rows of one source that share a key are duplicates. Equal whole rows are paired as often as both sources have them.
 */
export class MatchedRows {
  readonly counts = { added: 0, removed: 0, changed: 0, same: 0, duplicates: 0 };
  readonly verdictOf: readonly [before: Uint8Array, after: Uint8Array];
  /** For each row before, the row after with the same identity. */
  readonly pairOf: Uint32Array;
  /** How many rows changed in a column. */
  readonly changedRows = new Map<ColumnPair, number>();
  readonly #parts: MatchParts;
  readonly #readers;
  readonly #firstReaders;
  readonly #batch: PairBatch;
  #done = 0;

  constructor(parts: MatchParts) {
    const [before, after] = parts.sources;
    this.#parts = parts;
    this.#readers = [before.createReader(), after.createReader()] as const;
    this.#firstReaders = [before.createReader(), after.createReader()] as const;
    this.#batch = new PairBatch(parts.sources);
    this.verdictOf = [new Uint8Array(before.rowCount), new Uint8Array(after.rowCount)];
    this.pairOf = new Uint32Array(before.rowCount).fill(noRow);
  }

  async match([begin, end]: readonly [from: number, to: number]): Promise<void> {
    const { job, sources, hasKey } = this.#parts;
    const [before, after] = sources;
    // For the first row before of each hash that has to be read, the index of the hash in both sources.
    const firsts = new Uint32Array(before.rowCount).fill(noRow);
    const seconds = new Uint32Array(before.rowCount);
    let first = 0;
    let second = 0;
    let groups = 0;
    while (first < before.order.length || second < after.order.length) {
      const hash = Math.min(before.hashes[first] ?? Infinity, after.hashes[second] ?? Infinity);
      const firstEnd = before.hashes[first] === hash ? before.endOfGroup(first) : first;
      const secondEnd = after.hashes[second] === hash ? after.endOfGroup(second) : second;
      if (firstEnd > first && (secondEnd > second || (hasKey && firstEnd - first > 1))) {
        firsts[before.order[first]!] = first;
        seconds[before.order[first]!] = second;
      } else if (hasKey && secondEnd - second > 1) {
        await this.#matchGroup([[], after.order.subarray(second, secondEnd)]);
      } else {
        for (let at = first; at < firstEnd; at++) this.#settleAlone(0, before.order[at]!);
        for (let at = second; at < secondEnd; at++) this.#settleAlone(1, after.order[at]!);
      }
      first = firstEnd;
      second = secondEnd;
      if (++groups % rowsPerTurn === 0 && job.isTurnOver) await job.turn(begin);
    }
    // In the order of the first file, most rows are read with their neighbours.
    for (let row = 0; row < before.rowCount; row++) {
      first = firsts[row]!;
      if (first === noRow) continue;
      second = seconds[row]!;
      const firstEnd = before.endOfGroup(first);
      const secondEnd = after.hashes[second] === before.hashes[first] ? after.endOfGroup(second) : second;
      if (firstEnd - first === 1 && secondEnd - second === 1) {
        this.#batch.add(row, after.order[second]!);
        if (this.#batch.isFull) await this.#comparePairs();
      } else await this.#matchGroup([before.order.subarray(first, firstEnd), after.order.subarray(second, secondEnd)]);
      this.#done = begin + ((end - begin) * row) / before.rowCount;
      if (row % rowsPerTurn === 0 && job.isTurnOver) await job.turn(this.#done);
    }
    await this.#comparePairs();
  }

  async #addPair(row: number, after: number): Promise<void> {
    this.#batch.add(row, after);
    if (this.#batch.isFull) await this.#comparePairs();
  }

  async #comparePairs(): Promise<void> {
    const { job, identity, others, comparesBytes } = this.#parts;
    const batch = this.#batch;
    let count = 0;
    for (const _ of batch.read()) {
      if (++count % rowsPerTurn === 0 && job.isTurnOver) await job.turn(this.#done);
      if (comparesBytes && batch.hasSameBytes) {
        this.#settlePair(batch.row, batch.after, unchanged);
        continue;
      }
      const [before, after] = batch.cells;
      const differs = (pair: ColumnPair): boolean => !before.equals(pair.before, after, pair.after);
      if (identity.some(differs)) {
        // They have the same hash by chance.
        this.#settleAlone(0, batch.row);
        this.#settleAlone(1, batch.after);
      } else this.#settlePair(batch.row, batch.after, others.filter(differs));
    }
  }

  /** Settles rows of equal hashes. */
  async #matchGroup(rows: RowLists): Promise<void> {
    for (let left = rows; left[0].length + left[1].length > 0;) left = await this.#matchFirst(left);
  }

  /** Settles the rows with the identity of the first one. Returns the others, which have its hash by chance. */
  async #matchFirst(rows: RowLists): Promise<RowLists> {
    const { job, identity, hasKey } = this.#parts;
    const firstSide = rows[0].length > 0 ? 0 : 1;
    this.#firstReaders[firstSide].read(rows[firstSide][0]!);
    const first = this.#firstReaders[firstSide].cells;
    const equal: readonly [number[], number[]] = [[], []];
    const different: readonly [number[], number[]] = [[], []];
    for (const side of [0, 1] as const) {
      for (let nth = 0; nth < rows[side].length; nth++) {
        const row = rows[side][nth]!;
        this.#readers[side].read(row);
        const { cells } = this.#readers[side];
        const isEqual = identity.every(pair => first.equals(numberOf(pair, firstSide), cells, numberOf(pair, side)));
        (isEqual ? equal : different)[side].push(row);
        if (job.isTurnOver) await job.turn();
      }
    }
    const pairs = Math.min(equal[0].length, equal[1].length);
    if (hasKey && Math.max(equal[0].length, equal[1].length) > 1) {
      this.counts.duplicates += equal[0].length + equal[1].length;
      for (const side of [0, 1] as const) for (const row of equal[side]) this.verdictOf[side][row] = verdicts.duplicate;
    } else {
      for (let nth = 0; nth < pairs; nth++) await this.#addPair(equal[0][nth]!, equal[1][nth]!);
      for (const side of [0, 1] as const) for (const row of equal[side].slice(pairs)) this.#settleAlone(side, row);
    }
    return different;
  }

  #settlePair(before: number, after: number, changed: readonly ColumnPair[]): void {
    const isChanged = changed.length > 0;
    this.pairOf[before] = after;
    this.verdictOf[0][before] = this.verdictOf[1][after] = isChanged ? verdicts.changed : verdicts.same;
    this.counts[isChanged ? 'changed' : 'same']++;
    for (const column of changed) this.changedRows.set(column, (this.changedRows.get(column) ?? 0) + 1);
  }

  #settleAlone(side: 0 | 1, row: number): void {
    this.verdictOf[side][row] = verdicts.alone;
    this.counts[side === 0 ? 'removed' : 'added']++;
  }
}

const numberOf = (pair: ColumnPair, side: 0 | 1): number => (side === 0 ? pair.before : pair.after);
