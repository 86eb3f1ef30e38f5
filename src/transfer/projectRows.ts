import type { Clock } from '../base/clock.ts';
import type { Project } from '../client/index.ts';
import { TableReader } from '../model/copying/tableReader.ts';
import { firstPlace, type RowBlock, type SourceValue } from '../model/importing/sourceRow.ts';
import type { MovedTable } from './movedTable.ts';
import type { TransferProgress } from './progress.ts';
import { RowHash } from './rowHash.ts';

/** A longer value is read in slices of this size, whose digits must fit into one value of the service. */
const sliceBytes = 1024 * 1024;

export interface TransferParts {
  readonly project: Project;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly progress: TransferProgress;
}

export const projectTable = (
  { name, columns, key }: MovedTable,
  { project, clock, signal }: TransferParts,
): TableReader =>
  new TableReader({
    source: { table: name, columns, key, sliceBytes },
    open: async () => project,
    clock,
    signal,
  });

/** Only for blocks of tables: their rows have no faults. */
export const rowCells = ({ rows }: RowBlock): (readonly SourceValue[])[] => rows.map(({ cells }) => cells);

/** Reads all rows of a project's table again, to compare them. */
export async function projectHash(table: MovedTable, parts: TransferParts): Promise<RowHash> {
  const hash = new RowHash();
  for await (const block of projectTable(table, parts).blocks(firstPlace)) {
    for (const cells of rowCells(block)) hash.add(cells);
    parts.progress.rows('checking', table.name, { added: block.rows.length, total: hash.rowCount });
  }
  return hash;
}
