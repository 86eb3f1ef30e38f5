import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** More files would make each change of the history slow. */
const maxKeptRuns = 1000;

/** The database, within the folder of the history. */
export const historyFile = (folder: string): string => join(folder, 'history.sqlite');

/** The folder of the rows of closed results. They have a budget of their own. */
export const keptRowsFolder = (folder: string): string => join(folder, 'rows');

/** The file of a run's rows, as `RestoredRun` opens it. Their index is beside it. */
export const keptRowsFile = (folder: string, run: string): string => join(keptRowsFolder(folder), `${run}.rows`);

/** Removes rows that no entry leads to, and the oldest rows beyond the budget. */
export function pruneKeptRows(folder: string, maxBytes: number, hasEntry: (run: string) => boolean): void {
  const rows = keptRowsFolder(folder);
  const names = existsSync(rows) ? readdirSync(rows) : [];
  const kept = [...Map.groupBy(names, name => name.slice(0, name.indexOf('.')))].map(([run, parts]) => {
    const files = parts.map(name => join(rows, name));
    const stats = files.flatMap(file => statSync(file, { throwIfNoEntry: false }) ?? []);
    const bytes = stats.reduce((sum, { size }) => sum + size, 0);
    return { run, files, bytes, changedAt: Math.max(0, ...stats.map(({ mtimeMs }) => mtimeMs)) };
  });
  let bytesLeft = maxBytes;
  let runsLeft = maxKeptRuns;
  for (const { run, files, bytes } of kept.toSorted((one, other) => other.changedAt - one.changedAt)) {
    if (bytes <= bytesLeft && runsLeft > 0 && hasEntry(run)) {
      bytesLeft -= bytes;
      runsLeft--;
    } else for (const file of files) rmSync(file, { force: true });
  }
}
