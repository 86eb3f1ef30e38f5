import { isBlobType } from '../../../../wire/values.ts';
import type { ComparisonSummary } from '../../comparison.ts';
import type { Job } from '../job.ts';
import { DifferenceWriter, type SourceColumn } from './differenceWriter.ts';
import { MatchedRows, verdicts } from './matchedRows.ts';
import { type ComparedSource, SourceRows } from './sourceRows.ts';

/** The numbers of a column in both sources. */
export interface ColumnPair {
  readonly before: number;
  readonly after: number;
}

interface ComparisonParts {
  readonly job: Job;
  readonly before: ComparedSource;
  readonly after: ComparedSource;
  /** The names of the columns that identify a row. Empty to compare whole rows. */
  readonly key: readonly string[];
  readonly send: (bytes: Uint8Array<ArrayBuffer>, rowCount: number) => Promise<void>;
}

/** The shares of the work that are done after each of its steps. */
const sortShare = 0.5;
const matchShare = 0.85;
const pieceBytes = 32 * 1024;

/** Compares the rows of two sources, whose columns are matched by their names. Sends the rows that differ. */
export async function compareRows({ job, before, after, key, send }: ComparisonParts): Promise<ComparisonSummary> {
  const hasLetters = before.letterColumn !== undefined && after.letterColumn !== undefined;
  const sources = [new SourceRows(before, hasLetters), new SourceRows(after, hasLetters)] as const;
  const columns = sourceColumns(...sources);
  const common = columns.filter((column): column is SourceColumn & ColumnPair => isPair(column));
  const identity = common.filter(({ name }) => key.length === 0 || key.includes(name));
  await sources[0].sort(
    job,
    identity.map(column => column.before),
    [0, sortShare / 2],
  );
  await sources[1].sort(
    job,
    identity.map(column => column.after),
    [sortShare / 2, sortShare],
  );
  const matched = new MatchedRows({
    job,
    sources,
    identity,
    others: common.filter(column => !identity.includes(column)),
    hasKey: key.length > 0,
    comparesBytes: common.every(
      pair => isBlobType(sources[0].columns[pair.before]!.type) === isBlobType(sources[1].columns[pair.after]!.type),
    ),
  });
  await matched.match([sortShare, matchShare]);
  const { counts, changedRows } = matched;
  const writer = new DifferenceWriter(
    columns,
    common.filter(column => changedRows.has(column)),
  );
  await writeDifferences({ job, sources, matched, writer, send });
  const changes = writer.changes(column => (isPair(column) && changedRows.get(column)) || 0);
  return { ...counts, columns: writer.columns, changes };
}

const isPair = (column: SourceColumn): column is SourceColumn & ColumnPair =>
  column.before !== undefined && column.after !== undefined;

const numberIn = ({ columns }: SourceRows, name: string): number => columns.findIndex(other => other.name === name);

/** The columns of both sources, then those that only one has. */
function sourceColumns(before: SourceRows, after: SourceRows): SourceColumn[] {
  const all = before.columns.map(({ name, type }, number): SourceColumn => {
    const other = numberIn(after, name);
    if (other === -1) return { name, type, before: number };
    const otherType = after.columns[other]!.type;
    // Without a type if only one source has BLOBs there: the strings of the other one are texts.
    const sharedType = isBlobType(type) === isBlobType(otherType) ? otherType || type : '';
    return { name, type: sharedType, before: number, after: other };
  });
  const onlyAfter = after.columns.map(({ name, type }, number): SourceColumn => ({ name, type, after: number }));
  return [
    ...all.toSorted((one, other) => Number(isPair(other)) - Number(isPair(one))),
    ...onlyAfter.filter(({ name }) => numberIn(before, name) === -1),
  ];
}

interface WriteParts extends Pick<ComparisonParts, 'job' | 'send'> {
  readonly sources: readonly [before: SourceRows, after: SourceRows];
  readonly matched: MatchedRows;
  readonly writer: DifferenceWriter;
}

/** Writes rows in the order of the first source. A row that only the second one has follows the row that it follows there. */
async function writeDifferences({ job, sources, matched, writer, send }: WriteParts): Promise<void> {
  const { verdictOf, pairOf } = matched;
  const [before, after] = sources.map(source => source.createReader());
  const sendPiece = async (): Promise<void> => {
    const { bytes, rowCount } = writer.take();
    if (rowCount > 0) await send(bytes, rowCount);
  };
  const writeAfter = async (first: number): Promise<void> => {
    for (let row = first; row < verdictOf[1].length; row++) {
      const verdict = verdictOf[1][row];
      if (verdict !== verdicts.alone && verdict !== verdicts.duplicate) return;
      after!.read(row);
      writer.write(verdict === verdicts.alone ? 'added' : 'duplicate key (after)', undefined, after!.cells);
      if (writer.size >= pieceBytes) await sendPiece();
      if (job.isTurnOver) await job.turn();
    }
  };
  await writeAfter(0);
  for (let row = 0; row < pairOf.length; row++) {
    const verdict = verdictOf[0][row];
    if (verdict !== verdicts.same) before!.read(row);
    if (verdict === verdicts.alone) writer.write('removed', before!.cells, undefined);
    if (verdict === verdicts.duplicate) writer.write('duplicate key (before)', before!.cells, undefined);
    if (verdict === verdicts.changed) {
      after!.read(pairOf[row]!);
      writer.write('changed', before!.cells, after!.cells);
    }
    if (verdict === verdicts.same || verdict === verdicts.changed) await writeAfter(pairOf[row]! + 1);
    if (writer.size >= pieceBytes) await sendPiece();
    if (job.isTurnOver) await job.turn(matchShare + ((1 - matchShare) * row) / pairOf.length);
  }
  await sendPiece();
}
