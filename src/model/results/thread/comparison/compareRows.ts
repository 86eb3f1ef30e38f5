import type { ComparisonSummary } from '../../../../protocol/comparison.ts';
import { isBlobType } from '../../../../wire/values.ts';
import { type CommonColumn, type ComparisonPlan, isCommon } from '../../comparison.ts';
import type { Job } from '../../../job.ts';
import { DifferenceWriter } from './differenceWriter.ts';
import { alone, duplicate, type Matches, matchRows, rowsPerTurn } from './matchedRows.ts';
import { ComparedRowReader, type ComparedSource, SourceRows } from './sourceRows.ts';

interface ComparisonParts {
  readonly job: Job;
  readonly before: ComparedSource;
  readonly after: ComparedSource;
  readonly plan: ComparisonPlan;
}

/** The share of the work that is done when both sources are sorted. */
const sortShare = 0.6;
const pieceBytes = 32 * 1024;

/** Compares the rows of two sources. Sends the rows that differ. */
export async function compareRows({ job, before, after, plan }: ComparisonParts): Promise<ComparisonSummary> {
  const hasLetters = before.letterColumn !== undefined && after.letterColumn !== undefined;
  const sources = [new SourceRows(before, hasLetters), new SourceRows(after, hasLetters)] as const;
  const identity = plan.columns.filter(isCommon).filter(({ isKey }) => isKey);
  const numbers = [identity.map(column => column.before), identity.map(column => column.after)] as const;
  await sources[0].sort(job, numbers[0], [0, sortShare / 2]);
  await sources[1].sort(job, numbers[1], [sortShare / 2, sortShare]);
  const matches = await matchRows({ job, sources, identity, hasKey: plan.hasKey });
  const differences = new Differences({ job, sources, matches, plan });
  await differences.write();
  return differences.summary;
}

interface DifferencesParts extends Pick<ComparisonParts, 'job' | 'plan'> {
  readonly sources: readonly [before: SourceRows, after: SourceRows];
  readonly matches: Matches;
}

/** Writes rows in the order of the first source. A row that only the second one has follows the row that it follows there. */
class Differences {
  readonly #parts: DifferencesParts;
  readonly #before: ComparedRowReader;
  readonly #after: ComparedRowReader;
  readonly #writer: DifferenceWriter;
  readonly #common: readonly CommonColumn[];
  /** Whether rows of the same bytes have the same values. */
  readonly #comparesBytes: boolean;
  #same = 0;

  constructor(parts: DifferencesParts) {
    const [before, after] = parts.sources;
    this.#parts = parts;
    this.#before = new ComparedRowReader(before);
    this.#after = new ComparedRowReader(after);
    this.#writer = new DifferenceWriter(parts.plan);
    this.#common = parts.plan.columns.filter(isCommon);
    this.#comparesBytes = this.#common.every(
      column => isBlobType(before.columns[column.before]!.type) === isBlobType(after.columns[column.after]!.type),
    );
  }

  get summary(): ComparisonSummary {
    const { counts, changedColumns } = this.#writer;
    const { added, removed, changed } = counts;
    const duplicates = counts['duplicate key (before)'] + counts['duplicate key (after)'];
    return { added, removed, changed, same: this.#same, duplicates, changedColumns: [...changedColumns] };
  }

  async write(): Promise<void> {
    const { matches, sources } = this.#parts;
    await this.#writeAfter(0);
    for (let row = 0; row < sources[0].rowCount; row++) {
      const match = matches[0][row]!;
      if (match < duplicate) {
        this.#writePair(row, match);
        if (matches[1][match + 1]! >= duplicate) await this.#writeAfter(match + 1);
      } else {
        const kind = match === alone ? 'removed' : 'duplicate key (before)';
        this.#writer.write(kind, this.#before.read(row).cells, undefined);
      }
      if (row % rowsPerTurn === 0 || this.#writer.size >= pieceBytes) await this.#pause(row);
    }
    await this.#sendPiece();
  }

  /** Two rows of a match are the same, or the row has changed, or they have equal hashes by chance. */
  #writePair(row: number, match: number): void {
    const before = this.#before.read(row);
    const after = this.#after.read(match);
    if (this.#comparesBytes && before.hasBytesOf(after)) {
      this.#same++;
      return;
    }
    const [cells, otherCells] = [before.cells, after.cells];
    const different = this.#common.filter(column => !cells.equals(column.before, otherCells, column.after));
    if (different.length === 0) this.#same++;
    else if (different.some(({ isKey }) => isKey)) {
      this.#writer.write('removed', cells, undefined);
      this.#writer.write('added', undefined, otherCells);
    } else this.#writer.write('changed', cells, otherCells, different);
  }

  /** Writes the rows from `first` on that have no match. */
  async #writeAfter(first: number): Promise<void> {
    const matches = this.#parts.matches[1];
    for (let row = first; matches[row]! >= duplicate; row++) {
      const kind = matches[row] === alone ? 'added' : 'duplicate key (after)';
      this.#writer.write(kind, undefined, this.#after.read(row).cells);
      await this.#pause();
    }
  }

  async #pause(row?: number): Promise<void> {
    const { job, sources } = this.#parts;
    if (this.#writer.size >= pieceBytes) await this.#sendPiece();
    const done = row === undefined ? undefined : sortShare + ((1 - sortShare) * row) / sources[0].rowCount;
    if (job.isTurnOver) await job.turn(done);
  }

  async #sendPiece(): Promise<void> {
    const { bytes, rowCount } = this.#writer.take();
    if (rowCount > 0) await this.#parts.job.sendPiece(bytes, rowCount);
  }
}
