import type { GroupQuery } from '../../protocol/groups.ts';
import type { Column } from '../../wire/values.ts';
import type { SpoolQueries } from '../results/queries/spoolQueries.ts';
import { StatementRun, type StatementRunParts } from '../results/statementRun.ts';
import { groupColumns } from './groupingSql.ts';

interface GroupRunParts extends Pick<StatementRunParts, 'folder' | 'thread' | 'disk' | 'clock'> {
  /** The rows as they are shown when the run starts. */
  readonly rows: SpoolQueries;
  readonly columns: readonly Column[];
  readonly query: GroupQuery;
}

/** A run whose rows are the groups of other rows. */
export function groupRun({ rows, columns, query, ...parts }: GroupRunParts): StatementRun {
  const shown = groupColumns(columns, query);
  return new StatementRun({
    ...parts,
    limits: { maxRows: Infinity, maxBytes: Infinity },
    send: ({ signal }) =>
      Promise.resolve({
        columns: shown,
        rowCount: undefined,
        replayed: false,
        rawBatches: () => rows.groups({ query, names: shown.map(({ name }) => name) }, { signal }),
        err: () => undefined,
        close: () => Promise.resolve(),
      }),
  });
}
