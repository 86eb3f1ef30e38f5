import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { lazy } from '../base/lazy.ts';
import { doAtOnce, doInTurns } from '../base/turns.ts';
import type { KnownRowCount } from '../protocol/languageBridge.ts';
import { statementsWithinBudget, Schema } from '../sql/schema/schema.ts';
import type { ShadowSchema } from '../sql/shadow/shadowSchema.ts';
import { keyOf } from '../sql/text/names.ts';

interface SchemaContent {
  readonly statements: readonly string[];
  readonly rowCounts: readonly KnownRowCount[];
}

export interface ProjectIdentity {
  readonly id: string;
  readonly name: string;
}

/** One version of a project's schema. All documents of the project share it. */
export class ProjectSchema {
  readonly project: ProjectIdentity;
  readonly #content: SchemaContent;
  readonly #rowCounts = new Map<string, number>();
  #statements: readonly string[] | undefined;
  #schema: Schema | undefined;
  readonly #read = lazy(async () => {
    const schema = await doInTurns(Schema.read(this.statements));
    // The getter may have read it in the meantime.
    this.#schema ??= schema;
  });
  /** The schema in SQLite itself. The first call loads SQLite. */
  readonly shadow = lazy(async (): Promise<ShadowSchema> => {
    const [wasmBinary, { ShadowSchema: shadowSchema }] = await Promise.all([
      readSqliteWasm(),
      import('../sql/shadow/shadowSchema.ts'),
    ]);
    return shadowSchema.open({ wasmBinary, ddl: this.#content.statements });
  });

  constructor(project: ProjectIdentity, content: SchemaContent) {
    this.project = project;
    this.#content = content;
    for (const rowCount of content.rowCounts) this.setRowCount(rowCount);
  }

  /** The statements of sqlite_schema that can be parsed in time. */
  get statements(): readonly string[] {
    return (this.#statements ??= statementsWithinBudget(this.#content.statements));
  }

  /** Await {@link readInTurns} before: this getter reads the schema at once, and a large one takes seconds. */
  get schema(): Schema {
    return (this.#schema ??= doAtOnce(Schema.read(this.statements)));
  }

  /** Reads the schema in turns. Undefined if it is read. */
  readInTurns(): Promise<void> | undefined {
    return this.#schema ? undefined : this.#read();
  }

  /** Undefined if the number of rows is unknown. */
  rowCount(table: string): number | undefined {
    return this.#rowCounts.get(keyOf(table));
  }

  setRowCount({ table, count }: KnownRowCount): void {
    this.#rowCounts.set(keyOf(table), count);
  }
}

/** The build puts the module beside the server. A server that runs from its source reads that of the package. */
function readSqliteWasm(): Promise<Uint8Array> {
  const isSource = extname(import.meta.url) === '.ts';
  const url = isSource ? import.meta.resolve('@sqlite.org/sqlite-wasm/sqlite3.wasm') : './sqlite3.wasm';
  return readFile(new URL(url, import.meta.url));
}
