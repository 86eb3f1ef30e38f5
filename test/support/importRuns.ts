import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import type { Client } from '../../src/client/index.ts';
import { detectSource } from '../../src/model/importing/detection.ts';
import type { ImportTarget, SourceOptions } from '../../src/model/importing/importOptions.ts';
import { ImportRun, type SendStatement } from '../../src/model/importing/importRun.ts';
import { hasJsonb } from '../../src/model/importing/jsonbSupport.ts';
import {
  type FileSource,
  importJournal,
  type ImportPlan,
  type ImportProgress,
  isFileSource,
  rejectedFile,
  unfinishedImports,
} from '../../src/model/importing/journal.ts';
import { mapColumns } from '../../src/model/importing/mapping.ts';
import { openSourceReader } from '../../src/model/importing/readers/openReader.ts';
import { RejectedRows } from '../../src/model/importing/rejectedRows.ts';
import type { OpenSource } from '../../src/model/importing/rowSource.ts';
import { SourceFile } from '../../src/model/importing/sourceFile.ts';
import { openFileInThread } from '../../src/model/importing/thread/importThread.ts';
import type { Row } from '../../src/wire/values.ts';
import { ImportFolder } from './importSource.ts';
import { startTestService } from './testService.ts';

/** The entry of the import thread, as source. */
const importThread = new URL('../../src/model/importing/thread/main.ts', import.meta.url);

export interface PlanChoice {
  readonly path: string;
  readonly table: string;
  readonly options?: Partial<SourceOptions>;
  readonly target?: Partial<ImportTarget>;
  readonly stopsAtRejection?: boolean;
}

/** The plan that the dialog would make, with the columns mapped by name. */
export async function planOf(client: Client, projectId: string, choice: PlanChoice): Promise<ImportPlan> {
  const { path, table, options, target, stopsAtRejection = false } = choice;
  await using file = await SourceFile.open(path);
  const source = { ...(await detectSource(file)), ...options };
  const { columns: names } = await openSourceReader(file, source);
  const { columns } = await client.tableSchema(projectId, table);
  const mapped = mapColumns(names, columns, source.hasHeader);
  return {
    id: randomUUID(),
    work: 'import',
    project: { profileId: 'p', name: 'Test', baseUrl: 'http://127.0.0.1', projectId },
    source: { path, name: 'rows', isCopy: false, fingerprint: await file.fingerprint(), options: source },
    target: {
      table,
      mode: 'insert',
      columns: mapped,
      key: [],
      hasJsonb: await hasJsonb(sendWith(client, projectId)),
      checksNumbers: true,
      ...target,
    },
    stopsAtRejection,
    finish: [],
  };
}

export interface RunChoice {
  readonly folder: string;
  readonly plan: ImportPlan;
  readonly send: SendStatement;
  readonly progress?: ImportProgress | undefined;
  readonly clock?: Clock;
  /** The entry of the import thread; its source unless a test says otherwise. */
  readonly thread?: URL | string;
  /** Opens the source of a plan that reads no file. */
  readonly openSource?: OpenSource;
  /** Called before the journal is written: it may throw, as a window does that is killed there. */
  readonly beforeJournal?: () => void;
}

export function newRun(choice: RunChoice): ImportRun {
  const {
    folder,
    plan,
    send,
    progress,
    clock = systemClock,
    thread = importThread,
    openSource,
    beforeJournal,
  } = choice;
  const journal = importJournal(folder, plan);
  const path = rejectedFile(folder, plan);
  return new ImportRun({
    plan,
    progress,
    openSource: openSource ?? (signal => openFileInThread(fileSourceOf(plan), { entry: thread, signal })),
    send,
    clock,
    journal: {
      write: async written => {
        beforeJournal?.();
        await journal.write(written);
      },
      remove: () => journal.remove(),
    },
    rejected: new RejectedRows(path, progress?.rejectedBytes ?? 0, reason =>
      reason.kind === 'refused' ? reason.message : reason.kind,
    ),
  });
}

function fileSourceOf({ source }: ImportPlan): FileSource {
  if (!isFileSource(source)) throw new Error('The plan reads no file.');
  return source;
}

export const sendWith =
  (client: Client, projectId: string): SendStatement =>
  (request, options) =>
    client.execSql(projectId, request, options);

/** The progress that the journal on the disk has. Undefined when the import has ended. */
export async function savedProgress(folder: string, plan: ImportPlan): Promise<ImportProgress | undefined> {
  return (await unfinishedImports(folder)).find(entry => entry.plan.id === plan.id)?.progress;
}

/** The lines of the file of rejected rows, without its header. */
export async function rejectedLines(folder: string, plan: ImportPlan): Promise<string[]> {
  const text = await readFile(rejectedFile(folder, plan), 'utf8').catch(() => '');
  return text.split('\n').slice(1, -1);
}

/** Several test files may share a project. */
let tableCount = 0;

/** A project that takes rows, and a folder for their files. */
export class ImportedProject {
  readonly client: Client;
  readonly projectId: string;
  readonly folder: ImportFolder;
  readonly send: SendStatement;

  private constructor(client: Client, projectId: string, folder: ImportFolder) {
    this.client = client;
    this.projectId = projectId;
    this.folder = folder;
    this.send = sendWith(client, projectId);
  }

  static async start(): Promise<ImportedProject> {
    const { client, projectId } = await startTestService();
    const folder = new ImportFolder();
    return new ImportedProject(client, projectId, folder);
  }

  async sql(sql: string): Promise<readonly Row[]> {
    return (await this.client.execSql(this.projectId, { sql })).rows;
  }

  /** Returns the name of a new table. */
  async createTable(columns: string, suffix = ''): Promise<string> {
    const table = `t ${++tableCount}`;
    await this.sql(`CREATE TABLE "${table}" (${columns}) ${suffix}`);
    return table;
  }

  async rowsOf(table: string): Promise<unknown[][]> {
    return (await this.sql(`SELECT * FROM "${table}" ORDER BY rowid`)).map(row => Object.values(row));
  }

  plan(choice: PlanChoice): Promise<ImportPlan> {
    return planOf(this.client, this.projectId, choice);
  }

  /** Runs a plan to its end. */
  async run(plan: ImportPlan, choice: Partial<RunChoice> = {}): Promise<ImportRun> {
    const run = newRun({ folder: this.folder.path, plan, send: this.send, ...choice });
    await run.start();
    return run;
  }

  /** Runs a plan from where its journal says. */
  async continue(plan: ImportPlan, choice: Partial<RunChoice> = {}): Promise<ImportRun> {
    return this.run(plan, { progress: await savedProgress(this.folder.path, plan), ...choice });
  }

  async importText(table: string, content: string, choice: Partial<PlanChoice> = {}) {
    const path = await this.folder.write(`${table}.csv`, content);
    const plan = await this.plan({ path, table, ...choice });
    const run = await this.run(plan);
    return { run, plan, counts: run.progress.counts };
  }

  rejectedLines(plan: ImportPlan): Promise<string[]> {
    return rejectedLines(this.folder.path, plan);
  }
}
