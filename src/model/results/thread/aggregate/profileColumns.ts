import type { ColumnProfile, ProfileQuery } from '../../../../protocol/profile.ts';
import type { Arrangement } from '../../../../protocol/rowQueries.ts';
import type { Job } from '../../../job.ts';
import { filteredColumns, RowFilter } from '../filter.ts';
import type { RowsFile } from '../rowsFile.ts';
import { CellValue } from './cellValue.ts';
import { ColumnFigures, inDetail, roughly } from './columnProfile.ts';

/** Profiles columns in one pass. Each counts the rows that pass the filters of the other columns. */
export async function profileColumns(
  job: Job,
  file: RowsFile,
  arrangement: Arrangement,
  query: ProfileQuery,
  rowCount: number,
): Promise<ColumnProfile[]> {
  const filtered = filteredColumns(arrangement, file.columns);
  const columns = query.columns.filter(column => column < file.columns.length);
  const { walker, slots } = file.createWalker([...filtered, ...columns]);
  const filter = new RowFilter(arrangement, slots, file.columns);
  const value = new CellValue();
  const profiled = columns.map((column, nth) => ({
    column,
    slot: slots[filtered.length + nth]!,
    figures: new ColumnFigures(query.inDetail ? inDetail : roughly),
  }));
  await file.scan(job, {
    walker,
    endRow: rowCount,
    onRow: () => {
      const refused = filter.refusingColumn(walker);
      if (refused === 'several') return;
      for (const { column, slot, figures } of profiled) {
        if (refused !== undefined && refused !== column) continue;
        value.read(walker, slot);
        figures.add(value);
      }
    },
  });
  return profiled.map(({ column, figures }) => figures.profile(column));
}
