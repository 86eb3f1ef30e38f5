import { after, afterEach, beforeEach } from 'node:test';
import { Client, type Project } from '../../src/client/index.ts';
import { makeProfile, type Profile } from '../../src/model/profiles.ts';
import type { EditValue } from '../../src/protocol/editValues.ts';
import type { Row } from '../../src/wire/values.ts';
import { loseAnswer, loseRequest } from './lostAnswers.ts';
import { RecordedBrowsingHost } from './recordedBrowsingHost.ts';
import { startRefusingProxy } from './refusingProxy.ts';
import { openTestDocument, type TestDocument, type TestDocumentOptions } from './tableDocument.ts';
import { temporaryFolder } from './temporaryFolder.ts';
import { startTestService } from './testService.ts';

type Fault = 'loseRequest' | 'loseAnswer';

/** The table `pets` with the rows 1 and `a`, 2 and `b`, in front of a real service. It is made anew for each test. */
export interface EditedTable {
  readonly client: Client;
  readonly project: Project;
  readonly profile: Profile;
  /** Answers the questions of the document that is opened next. */
  host: RecordedBrowsingHost;
  /** The next faults of writes, the first one first. */
  faults: Fault[];
  /** The writes that were sent, lost ones as well. */
  writeCount: number;
  readonly open: (options?: Partial<TestDocumentOptions>) => Promise<TestDocument>;
  /** Gives the rows with an id another name, as a user does. */
  readonly rename: (opened: TestDocument, id: number, name: string) => Promise<void>;
  readonly add: (opened: TestDocument, name: string) => Promise<void>;
  /** Runs a statement of another client. */
  readonly execute: (sql: string) => Promise<readonly Row[]>;
  readonly names: () => Promise<unknown[]>;
}

export const text = (value: string): EditValue => ({ kind: 'text', text: value });

export async function openEditedTable(): Promise<EditedTable> {
  const service = await startTestService();
  const draftsFolder = temporaryFolder();
  const proxy = await startRefusingProxy(service.baseUrl, request => {
    if (request.headers['x-idempotency-key'] === undefined) return undefined;
    table.writeCount++;
    switch (table.faults.shift()) {
      case 'loseRequest':
        return loseRequest();
      case 'loseAnswer':
        return loseAnswer(service.baseUrl);
      default:
        return undefined;
    }
  });
  const { baseUrl } = proxy;
  const { projectId } = service;
  const client = new Client({ baseUrl, apiKey: service.apiKey, retries: 0 });
  after(() => client.close());
  const execute = async (sql: string): Promise<readonly Row[]> =>
    (await service.client.execSql(projectId, { sql })).rows;
  const documents: TestDocument['document'][] = [];
  const table: EditedTable = {
    client,
    project: client.project(projectId),
    profile: makeProfile({ name: 'Shop', baseUrl, projectId, source: 'settings' }),
    host: new RecordedBrowsingHost(),
    faults: [],
    writeCount: 0,
    open: async options => {
      const { project, profile, host } = table;
      const pets = { name: 'pets', kind: 'table' } as const;
      const opened = await openTestDocument({ project, profile, table: pets, host, draftsFolder, ...options });
      documents.push(opened.document);
      await opened.document.editing.schema();
      await opened.document.restore();
      return opened;
    },
    rename: async ({ document }, id, name) => {
      const [row] = await execute(`SELECT * FROM pets WHERE id = ${id}`);
      const target = { row: { kind: 'table', row: row! }, column: 'name', value: text(name) } as const;
      await document.edit('Edit', () => document.editing.setCells([target]));
    },
    add: ({ document }, name) =>
      document.edit('Add', () => document.editing.addRow([{ column: 'name', value: text(name) }])),
    execute,
    names: async () => (await execute('SELECT name FROM pets ORDER BY id')).map(({ name }) => name),
  };
  beforeEach(async () => {
    table.faults = [];
    table.host = new RecordedBrowsingHost();
    await (await table.open()).document.revert();
    await execute('DROP TABLE IF EXISTS pets');
    await execute('CREATE TABLE pets(id INTEGER PRIMARY KEY, name TEXT, age INTEGER)');
    await execute(`INSERT INTO pets(id, name) VALUES (1, 'a'), (2, 'b')`);
  });
  afterEach(() => {
    for (const document of documents.splice(0)) document.dispose();
  });
  return table;
}

/** A project whose writes wait until `open` is called. `reached` resolves when one waits. */
export function gated(project: Project) {
  const gate = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  const gatedProject = {
    query: (...call: Parameters<Project['query']>) => project.query(...call),
    sql: async (...call: Parameters<Project['sql']>) => {
      reached.resolve();
      await gate.promise;
      return project.sql(...call);
    },
  } as Pick<Project, 'query' | 'sql'>;
  return { project: gatedProject, open: () => gate.resolve(), reached: reached.promise };
}
