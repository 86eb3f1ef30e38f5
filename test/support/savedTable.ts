import type { Project } from '../../src/client/index.ts';
import { makeProfile } from '../../src/model/profiles.ts';
import type { StoredValue } from '../../src/protocol/editValues.ts';
import type { Row } from '../../src/wire/values.ts';
import { RecordedBrowsingHost } from './recordedBrowsingHost.ts';
import { openTestDocument, type TestDocument, type TestDocumentOptions } from './tableDocument.ts';
import type { TestService } from './testService.ts';

/** Values of cells, briefly. */
export const int = (value: number | bigint): StoredValue => ({ kind: 'integer', text: String(value) });
export const real = (value: number): StoredValue => ({ kind: 'real', text: String(value) });
export const text = (value: string): StoredValue => ({ kind: 'text', text: value });

/** A table of a service that a test edits, saves and looks at. */
export class SavedTable implements AsyncDisposable {
  readonly opened: TestDocument;
  readonly host: RecordedBrowsingHost;
  readonly run: (sql: string) => Promise<readonly Row[]>;
  readonly name: string;
  readonly #options: TestDocumentOptions;

  private constructor(opened: TestDocument, options: TestDocumentOptions, run: SavedTable['run']) {
    this.opened = opened;
    this.host = options.host;
    this.run = run;
    this.name = options.table.name;
    this.#options = options;
  }

  /** Makes the tables of a script and opens one of them. `project` reaches the service in another way. */
  static async open(
    service: TestService,
    name: string,
    script: readonly string[],
    project: Pick<Project, 'sql' | 'query'> = service.client.project(service.projectId),
  ): Promise<SavedTable> {
    const { baseUrl, projectId } = service;
    const run = async (sql: string): Promise<readonly Row[]> => (await service.client.execSql(projectId, { sql })).rows;
    await dropTables(run, script);
    for (const sql of script) await run(sql);
    const options: TestDocumentOptions = {
      project,
      profile: makeProfile({ name: 'Shop', baseUrl, projectId, source: 'settings' }),
      table: { name, kind: 'table' },
      host: new RecordedBrowsingHost(),
    };
    const opened = await openTestDocument(options);
    await opened.document.editing.schema();
    await opened.document.restore();
    return new SavedTable(opened, options, run);
  }

  get document(): TestDocument['document'] {
    return this.opened.document;
  }

  /** Kills the window of the table, and opens the next one with its draft. */
  async openNext(): Promise<TestDocument> {
    const next = await openTestDocument({ ...this.#options, draftsFolder: this.opened.draftsFolder });
    await next.document.restore();
    return next;
  }

  /** All rows as the grid has them. */
  rows(): Promise<readonly Row[]> {
    return this.run(`SELECT * FROM "${this.name}" ORDER BY 1`);
  }

  async values(sql = `SELECT * FROM "${this.name}" ORDER BY 1`): Promise<unknown[][]> {
    return (await this.run(sql)).map(row => Object.values(row));
  }

  /** Gives cells of rows other values: the number of the row among all rows, its column and the value. */
  async set(...cells: readonly (readonly [row: number, column: string, value: StoredValue])[]): Promise<void> {
    const rows = await this.rows();
    await this.document.edit('Edit', () =>
      this.document.editing.setCells(
        cells.map(([row, column, value]) => ({ row: { kind: 'table', row: rows[row]! }, column, value })),
      ),
    );
  }

  async delete(...numbers: readonly number[]): Promise<void> {
    const rows = await this.rows();
    await this.document.edit('Delete', () =>
      this.document.editing.delete(numbers.map(number => ({ kind: 'table', row: rows[number]! }))),
    );
  }

  async add(values: Readonly<Record<string, StoredValue>>): Promise<void> {
    await this.document.edit('Add', () =>
      this.document.editing.addRow(Object.entries(values).map(([column, value]) => ({ column, value }))),
    );
  }

  save(): Promise<void> {
    return this.opened.save();
  }

  /** The message of a save that does not save everything. */
  async failingSave(): Promise<string> {
    try {
      await this.save();
    } catch (thrown) {
      return thrown instanceof Error ? thrown.message : String(thrown);
    }
    throw new Error('The save has saved everything.');
  }

  /** The marked cells: the id of their row, their column and what is wrong. */
  get marks(): unknown[][] {
    return this.document.problems.all.map(({ rowId, column, fault }) => [rowId, column, fault.kind]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.opened[Symbol.asyncDispose]();
  }
}

/** Children are made after their parents, and dropped before them. */
async function dropTables(run: (sql: string) => Promise<readonly Row[]>, script: readonly string[]): Promise<void> {
  const names = script.flatMap(sql => /^CREATE TABLE ("[^"]+"|\w+)/.exec(sql)?.[1] ?? []);
  for (const name of names.toReversed()) await run(`DROP TABLE IF EXISTS ${name}`);
}
