import type { ComparisonSummary } from '../../../../protocol/results.ts';
import { isBlobType } from '../../../../wire/values.ts';
import { type ComparisonPlan, isCommon } from '../../comparison.ts';
import type { Job } from '../../../job.ts';
import { differenceWriter } from './differenceWriter.ts';
import { alone, duplicate, matchRows, rowsPerTurn } from './matchedRows.ts';
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

/**
 * Compares the rows of two sources. Sends the rows that differ, in the order of the first source. A row that only the second one
 * has follows the row that it follows there.
 */
export async function compareRows({ job, before, after, plan }: ComparisonParts): Promise<ComparisonSummary> {
  const hasLetters = before.letterColumn !== undefined && after.letterColumn !== undefined;
  const sources = [new SourceRows(before, hasLetters), new SourceRows(after, hasLetters)] as const;
  const common = plan.columns.filter(isCommon);
  const identity = common.filter(({ isKey }) => isKey);
  const numbers = [identity.map(column => column.before), identity.map(column => column.after)] as const;
  await sources[0].sort(job, numbers[0], [0, sortShare / 2]);
  await sources[1].sort(job, numbers[1], [sortShare / 2, sortShare]);
  const matches = await matchRows({ job, sources, identity, hasKey: plan.hasKey });
  const { rowCount } = sources[0];
  const reader = new ComparedRowReader(sources[0]);
  const otherReader = new ComparedRowReader(sources[1]);
  const writer = differenceWriter(plan);
  /** Whether rows of the same bytes have the same values. */
  const comparesBytes = common.every(
    column =>
      isBlobType(sources[0].columns[column.before]!.type) === isBlobType(sources[1].columns[column.after]!.type),
  );
  let same = 0;

  await writeAfter(0);
  for (let row = 0; row < rowCount; row++) {
    const match = matches[0][row]!;
    if (match < duplicate) {
      writePair(row, match);
      if (matches[1][match + 1]! >= duplicate) await writeAfter(match + 1);
    } else {
      const kind = match === alone ? 'removed' : 'duplicate key (before)';
      writer.write(kind, reader.read(row).cells, undefined);
    }
    if (row % rowsPerTurn === 0 || writer.size >= pieceBytes) await pause(row);
  }
  await sendPiece();
  const { added, removed, changed, ...duplicates } = writer.counts;
  return {
    added,
    removed,
    changed,
    same,
    duplicates: duplicates['duplicate key (before)'] + duplicates['duplicate key (after)'],
    changedColumns: [...writer.changedColumns],
  };

  /** Two rows of a match are the same, or the row has changed, or they have equal hashes by chance. */
  function writePair(row: number, match: number): void {
    const read = reader.read(row);
    const otherRead = otherReader.read(match);
    if (comparesBytes && read.hasBytesOf(otherRead)) {
      same++;
      return;
    }
    const { cells } = read;
    const { cells: otherCells } = otherRead;
    const different = common.filter(column => !cells.equals(column.before, otherCells, column.after));
    if (different.length === 0) same++;
    else if (different.some(({ isKey }) => isKey)) {
      writer.write('removed', cells, undefined);
      writer.write('added', undefined, otherCells);
    } else writer.write('changed', cells, otherCells, different);
  }

  /** Writes the rows from `first` on that have no match. */
  async function writeAfter(first: number): Promise<void> {
    for (let row = first; matches[1][row]! >= duplicate; row++) {
      const kind = matches[1][row] === alone ? 'added' : 'duplicate key (after)';
      writer.write(kind, undefined, otherReader.read(row).cells);
      await pause();
    }
  }

  async function pause(row?: number): Promise<void> {
    if (writer.size >= pieceBytes) await sendPiece();
    const done = row === undefined ? undefined : sortShare + ((1 - sortShare) * row) / rowCount;
    if (job.isTurnOver) await job.turn(done);
  }

  async function sendPiece(): Promise<void> {
    const { bytes, rowCount: pieceRows } = writer.take();
    if (pieceRows > 0) await job.sendPiece(bytes, pieceRows);
  }
}
