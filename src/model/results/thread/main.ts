/** The entry of the rows thread. */
import type { Job } from '../../job.ts';
import { answerThreadCalls } from '../../threadCalls.ts';
import { chartRows } from './aggregate/chartRows.ts';
import { arrange } from './arrange.ts';
import { profileColumns } from './aggregate/profileColumns.ts';
import { writeGroups } from './aggregate/writeGroups.ts';
import { CellReader } from './cellReader.ts';
import { compareRows } from './comparison/compareRows.ts';
import { Finder } from './find.ts';
import { ExportedRows } from './formats/rowCells.ts';
import { writeText } from './formats/writeText.ts';
import { RowsFile, type ShownRows } from './rowsFile.ts';
import type { RowsSnapshot, RowsThreadCalls, SharedSpool } from './rowsThreadCalls.ts';
import { writeSqliteFile } from './sqliteFile.ts';
import { summarize } from './aggregate/summarize.ts';
import { countValues } from './values.ts';

type OpenFile = ReturnType<typeof openFile>;

function openFile({ file: path, memory }: SharedSpool) {
  const file = new RowsFile(path, memory);
  return { file, finder: new Finder(file), cells: new CellReader(file), calls: new Set<Promise<unknown>>() };
}

const spools = new Map<number, OpenFile>();

/** The file of a spool is opened with its first call. */
async function withSpool<T>(spool: SharedSpool, job: Job, work: (open: OpenFile) => T | Promise<T>): Promise<T> {
  // Wait a turn first: then a call that is cancelled immediately costs nothing.
  await job.turn();
  const open = spools.get(spool.id) ?? openFile(spool);
  spools.set(spool.id, open);
  const call = Promise.resolve(open).then(work);
  open.calls.add(call);
  try {
    return await call;
  } finally {
    open.calls.delete(call);
  }
}

const withRows = <T>(
  rows: RowsSnapshot,
  job: Job,
  work: (file: RowsFile, shown: ShownRows, open: OpenFile) => Promise<T>,
): Promise<T> =>
  withSpool(rows.spool, job, open => {
    open.file.update(rows.extent, rows.columns);
    return work(open.file, shownRows(rows), open);
  });

function shownRows({ orderVersion, rowCount, arranged }: RowsSnapshot): ShownRows {
  const rows = arranged && new Uint32Array(arranged.order);
  const starts = arranged && new Uint32Array(arranged.starts);
  return { orderVersion, rowCount: rows?.length ?? rowCount, rows, starts };
}

answerThreadCalls<RowsThreadCalls>({
  rows: ({ spool, place, columns }, job) => withSpool(spool, job, ({ cells }) => cells.rows(place, columns)),
  cell: ({ spool, place, columns, column, maxLength }, job) =>
    withSpool(spool, job, ({ cells }) => cells.cell(place, columns, column, maxLength)),
  arrange: ({ rows, arrangement }, job) => withRows(rows, job, file => arrange(job, file, arrangement, rows.rowCount)),
  find: ({ rows, step }, job) =>
    withRows(rows, job, (_file, shown, { finder }) => finder.find(job, shown, rows.rowCount, step)),
  summarize: ({ rows, ranges }, job) => withRows(rows, job, (file, shown) => summarize(job, file, shown, ranges)),
  chart: ({ rows, query }, job) => withRows(rows, job, (file, shown) => chartRows(job, file, shown, query)),
  values: ({ rows, arrangement, query }, job) =>
    withRows(rows, job, file => countValues(job, file, arrangement, query, rows.rowCount)),
  profile: ({ rows, arrangement, query }, job) =>
    withRows(rows, job, file => profileColumns(job, file, arrangement, query, rows.rowCount)),
  groups: ({ rows, request }, job) => withRows(rows, job, (file, shown) => writeGroups(job, file, shown, request)),
  text: ({ rows, request: { format, ...request } }, job) =>
    withRows(rows, job, async (file, shown) => {
      if (format !== 'parquet') {
        await writeText(job, file, shown, { ...request, format });
        return [];
      }
      const { writeParquet } = await import('./parquet/parquetFile.ts');
      return writeParquet(job, new ExportedRows(job, file, shown, request.ranges));
    }),
  writeSqliteFile: ({ rows, request }, job) =>
    withRows(rows, job, (file, shown) => writeSqliteFile(new ExportedRows(job, file, shown, request.ranges), request)),
  compare: ({ rows, after, request: { plan, letterColumns } }, job) =>
    withRows(rows, job, file =>
      withRows(after, job, other => {
        const before = { file, rowCount: rows.rowCount, letterColumn: letterColumns[0] };
        const later = { file: other, rowCount: after.rowCount, letterColumn: letterColumns[1] };
        return compareRows({ job, before, after: later, plan });
      }),
    ),
  async closeSpool({ spoolId }) {
    const open = spools.get(spoolId);
    if (!open) return;
    spools.delete(spoolId);
    await Promise.allSettled(open.calls);
    open.file.close();
  },
});
