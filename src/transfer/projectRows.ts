import type { Clock } from '../base/clock.ts';
import type { Project } from '../client/index.ts';
import { TableReader } from '../model/copying/tableReader.ts';
import type { SourceValue, RowBlock } from '../model/importing/sourceRow.ts';
import type { MovedTable } from './movedTable.ts';
import type { TransferProgress } from './progress.ts';

/** Longer values are read in slices of this size: their digits must fit into one value of the service. */
const sliceBytes = 1024 * 1024;

/** The parts that all steps of a transfer share. */
export interface TransferParts {
  readonly project: Project;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly progress: TransferProgress;
}

/** A reader of the rows of a project's table, with their exact values. */
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

/** The cells of a block's rows. A reader of tables gives no rows with faults. */
export const rowCells = ({ rows }: RowBlock): (readonly SourceValue[])[] => rows.map(({ cells }) => cells);
