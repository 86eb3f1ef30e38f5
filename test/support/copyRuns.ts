import { randomUUID } from 'node:crypto';
import { systemClock } from '../../src/base/clock.ts';
import type { Client } from '../../src/client/index.ts';
import { readCopiedTable } from '../../src/model/copying/copiedTable.ts';
import { openTableSource } from '../../src/model/copying/openTableSource.ts';
import type { ImportTarget } from '../../src/model/importing/importOptions.ts';
import { hasJsonb } from '../../src/model/importing/jsonbSupport.ts';
import { type ImportPlan, isFileSource } from '../../src/model/importing/journal.ts';
import type { OpenSource } from '../../src/model/importing/rowSource.ts';
import { sendWith } from './importRuns.ts';

export interface CopyChoice {
  readonly client: Client;
  readonly projectId: string;
  readonly source: string;
  readonly table: string;
  readonly target?: Partial<ImportTarget>;
  readonly finish?: readonly string[];
}

/** The plan of a copy within one project, with columns of the same names. */
export async function copyPlanOf(choice: CopyChoice): Promise<ImportPlan> {
  const { client, projectId, source, table, target, finish = [] } = choice;
  const copied = await readCopiedTable(client.project(projectId), source);
  const names = copied.columns.map(({ name }) => name);
  const project = { profileId: 'p', name: 'Test', baseUrl: 'http://127.0.0.1', projectId };
  return {
    id: randomUUID(),
    work: 'copy',
    project,
    source: { name: source, project, table: source, columns: names, key: copied.key, rowCount: copied.rowCount },
    target: {
      table,
      mode: 'insert',
      columns: names.map((name, place) => ({ source: place, target: name })),
      key: [],
      hasJsonb: await hasJsonb(sendWith(client, projectId)),
      ...target,
    },
    stopsAtRejection: false,
    finish,
  };
}

/** Opens the source of a copy. The client may be another one after the service was started anew. */
export const tableSourceOf =
  ({ source }: ImportPlan, client: () => Client): OpenSource =>
  async signal => {
    if (isFileSource(source)) throw new Error('The plan reads no table.');
    const open = async () => client().project(source.project.projectId);
    return openTableSource({ source, open, clock: systemClock, signal });
  };
