import { monotonicClock, systemClock } from '../../src/base/clock.ts';
import type { Project } from '../../src/client/index.ts';
import { Save, type SaveOutcome } from '../../src/model/editing/save.ts';
import { type StoredRows, storedRowsOf } from '../../src/model/editing/storedRows.ts';
import type { TableEditing } from '../../src/model/editing/tableEditing.ts';

/** Sends the statements of a save without an editor. The edits stay pending. */
export async function saveEditing(
  project: Pick<Project, 'sql' | 'query'>,
  editing: TableEditing,
  onStored: (rows: StoredRows) => void = () => undefined,
): Promise<SaveOutcome> {
  const { signal } = new AbortController();
  return Save.of(await editing.steps(), systemClock).run({
    project,
    clock: monotonicClock,
    systemClock,
    signal,
    onProgress: () => Promise.resolve(),
    onDone: async (step, answer) => {
      const table = await editing.schema();
      if (typeof table === 'string') throw new Error(table);
      const rows = step.rowIds.flatMap(id => editing.edits.get(id) ?? []);
      const stored = await storedRowsOf({ project, table, step, rows, answer, signal });
      onStored(stored);
      return stored;
    },
  });
}
