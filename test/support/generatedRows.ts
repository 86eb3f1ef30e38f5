import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Client } from '../../src/client/index.ts';
import { type GeneratedTable, readGeneratedTable } from '../../src/model/generating/generatedTable.ts';
import { type GeneratedRows, generateRows } from '../../src/model/generating/generateRows.ts';
import { writtenColumns } from '../../src/model/generating/slots.ts';
import { quoteIdentifier } from '../../src/sql/text/quoting.ts';
import { newRun, planOf, rejectedLines, sendWith } from './importRuns.ts';

export interface GenerateChoice {
  readonly client: Client;
  readonly projectId: string;
  readonly folder: string;
  readonly table: string;
  readonly seed: number;
  readonly count: number;
  readonly choices?: GeneratedTable['choices'];
}

export interface GeneratedFile extends GeneratedRows {
  readonly path: string;
  readonly columns: readonly string[];
  /** The written values, with their storage classes. */
  readonly rows: readonly (readonly unknown[])[];
}

/** Generates rows for a table of the service into a file. */
export async function generatedFile(choice: GenerateChoice): Promise<GeneratedFile> {
  const { client, projectId, folder, table: name, seed, count, choices } = choice;
  const read = await readGeneratedTable(client.project(projectId), name);
  const table = { ...read, ...(choices && { choices }) };
  const path = join(folder, `${randomUUID()}.db`);
  const generated = await generateRows({ table, seed, count, path });
  const columns = writtenColumns(table).map(column => column.name);
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const values = columns.map(column => `quote(${quoteIdentifier(column)})`);
    const statement = database.prepare(`SELECT ${['0', ...values].join(', ')} FROM ${quoteIdentifier(name)}`);
    const rows = statement.all().map(row => Object.values(row).slice(1));
    return { ...generated, path, columns, rows };
  } finally {
    database.close();
  }
}

/** Writes the rows of a generated file into the table. Returns the lines that the service rejects. */
export async function addGenerated(choice: GenerateChoice, { path, columns }: GeneratedFile): Promise<string[]> {
  const { client, projectId, folder, table } = choice;
  const plan = await planOf(client, projectId, { path, table, options: { format: 'sqlite', table } });
  const written = plan.target.columns.filter(({ target }) => columns.includes(target));
  const run = newRun({
    folder,
    plan: { ...plan, target: { ...plan.target, columns: written } },
    send: sendWith(client, projectId),
  });
  await run.start();
  if (run.state !== 'done') throw new Error(`The import ended as ${run.state}.`, { cause: run.error });
  return rejectedLines(folder, plan);
}
