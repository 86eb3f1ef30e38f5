import { createHash } from 'node:crypto';
import { misuse } from '../../base/errors.ts';
import { isSameList } from '../../base/isSameList.ts';
import { lazy } from '../../base/lazy.ts';
import { doInTurns } from '../../base/turns.ts';
import { untilAborted } from '../../base/untilAborted.ts';
import type { Project } from '../../client/index.ts';
import type { SchemaTable } from '../../sql/tables/schemaTable.ts';
import { maxSmallAnswerBytes } from '../../wire/answerLimits.ts';
import { asServiceError } from '../../wire/serviceError.ts';
import { exactText } from '../../wire/values.ts';
import { readSchemaEntries, type SchemaEntry } from '../catalog/schemaEntries.ts';
import type { AgentProject } from './agentProject.ts';
import type { ReadSchema } from './reads/readSchema.ts';

export interface KnownSchema {
  readonly entries: readonly SchemaEntry[];
  readonly version: string;
  /** An empty database with the schema, to judge statements on. Opened with the first statement. */
  readonly readSchema: () => Promise<ReadSchema>;
  readonly tables: () => Promise<readonly SchemaTable[]>;
  readonly masks: () => Promise<IsMasked>;
}

/** A statement that only reads, as it may be sent. */
interface JudgedRead {
  readonly sql: string;
  /** The tables and views whose masked columns it shows as masked. */
  readonly masked: readonly MaskedRead[];
}

export interface MaskedRead {
  readonly name: string;
  /** Names the masked column, and says how this table or view shows it. */
  readonly reason: string;
}

type IsMasked = (table: string, column: string) => boolean;

interface CachedSchema extends KnownSchema {
  /** Changes with the schema. Undefined if the service does not report it. */
  readonly mark: string | undefined;
  readonly masked: readonly string[];
}

export type ReadWasm = () => Promise<Uint8Array>;

/** A project as the tools use it: its schema, as new as the database, and its statements, judged before they are sent. */
export class ProjectAccess {
  /** Its settings may change from call to call. */
  project: AgentProject;
  readonly #readWasm: ReadWasm;
  #schema: CachedSchema | undefined;
  #reading: { readonly key: string; readonly schema: Promise<CachedSchema> } | undefined;

  constructor(project: AgentProject, readWasm: ReadWasm) {
    this.project = project;
    this.#readWasm = readWasm;
  }

  /** The schema that the database has now. Another program may have changed it a moment ago, so each call asks. */
  async schema(signal: AbortSignal, onBytes: (bytes: number) => void): Promise<KnownSchema> {
    const reader = (await this.project.open('read')).withDefaults({ onBytes });
    const mark = await schemaMark(reader, signal);
    const cached = this.#schema;
    const isSame = mark !== undefined && cached?.mark === mark && isSameList(cached.masked, this.project.masked);
    if (cached && isSame) return cached;
    const key = JSON.stringify([mark, this.project.masked]);
    // Calls at the same time share the answer, and none of them cancels it for the others.
    const shared = mark === undefined ? undefined : this.#reading;
    const reading = shared?.key === key ? shared : { key, schema: this.#read(reader, mark) };
    this.#reading = reading;
    reading.schema.catch(() => {
      if (this.#reading === reading) this.#reading = undefined;
    });
    return untilAborted(reading.schema, signal);
  }

  /** The statement to send instead of a read. Throws the reason if it may not be sent. */
  async judge(sql: string, { readSchema, tables }: KnownSchema): Promise<JudgedRead> {
    const { judgeRead } = await import('./reads/judgeRead.ts');
    const schema = await readSchema();
    const judgement = await judgeRead(sql, schema);
    if (judgement.kind === 'refused') {
      const { code, reason, sqliteMessage = '' } = judgement;
      const { errorHint, namesOfTables } = await import('../../sql/fixes/errorHint.ts');
      const hint = (await errorHint(sqliteMessage, sql, namesOfTables(await tables()))) ?? '';
      throw misuse(code, `${reason} ${hint}`.trimEnd());
    }
    const masked = judgement.masked.map(name => ({ name, reason: schema.masks.exampleOf(name) }));
    return { sql: judgement.sql, masked };
  }

  async #read(reader: Project, mark: string | undefined): Promise<CachedSchema> {
    const { masked } = this.project;
    const entries = await readSchemaEntries(reader, { isReadOnly: true });
    const version = createHash('sha256').update(JSON.stringify(entries)).digest('hex');
    const old = this.#schema;
    const same = old?.version === version ? old : undefined;
    // The judged statements of the same schema stay cached.
    const isSame = same && isSameList(same.masked, masked);
    const readSchema = isSame ? same.readSchema : this.#openReadSchema(entries, masked);
    const schema = {
      entries,
      version,
      mark,
      masked,
      readSchema,
      tables: same?.tables ?? lazy(() => tablesOf(entries)),
      masks: async (): Promise<IsMasked> => {
        if (masked.length === 0) return () => false;
        const opened = await readSchema();
        return (table, column) => opened.masks.maskOf(table, column) !== undefined;
      },
    };
    this.#schema = schema;
    return schema;
  }

  #openReadSchema(entries: readonly SchemaEntry[], masked: readonly string[]): () => Promise<ReadSchema> {
    return lazy(async () => {
      const { ReadSchema } = await import('./reads/readSchema.ts');
      const statements = entries.map(({ sql }) => sql);
      return ReadSchema.open({ wasmBinary: await this.#readWasm(), statements, masked });
    });
  }
}

async function tablesOf(entries: readonly SchemaEntry[]): Promise<readonly SchemaTable[]> {
  const { Schema } = await import('../../sql/schema/schema.ts');
  return [...(await doInTurns(Schema.read(entries.map(({ sql }) => sql)))).tables];
}

/** SQLite counts the changes of a schema. A restored database may have the same count, so the size is compared too. */
const markSql = `SELECT (SELECT schema_version FROM pragma_schema_version) AS changes, count(*) AS objects,
  total(length(sql)) AS size FROM sqlite_schema`;

/** Undefined if the service refuses the statement. Then the whole schema is read for each call. */
async function schemaMark(reader: Project, signal: AbortSignal): Promise<string | undefined> {
  try {
    const { rows } = await reader.sql(markSql, [], { signal, isReadOnly: true, maxAnswerBytes: maxSmallAnswerBytes });
    return rows[0] && exactText(rows[0]);
  } catch (thrown) {
    const status = asServiceError(thrown)?.status;
    if (status === 400 || status === 403 || status === 422) return undefined;
    throw thrown;
  }
}
