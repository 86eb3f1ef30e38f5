import { lazy } from '../base/lazy.ts';
import { statementsWithinBudget } from '../sql/schema/parseBudget.ts';
import { Schema } from '../sql/schema/schema.ts';
import type { ShadowSchema } from '../sql/shadow/shadowSchema.ts';
import { keyOf } from '../sql/text/names.ts';
import { readSqliteWasm } from './sqliteWasm.ts';

export interface SchemaContent {
  readonly statements: readonly string[];
  readonly rowCounts: readonly { readonly table: string; readonly count: number }[];
}

export interface ProjectIdentity {
  readonly id: string;
  readonly name: string;
}

/** One version of a project's schema, for all its documents. */
export class ProjectSchema {
  readonly project: ProjectIdentity;
  readonly #content: SchemaContent;
  readonly #rowCounts: ReadonlyMap<string, number>;
  #statements: readonly string[] | undefined;
  #schema: Schema | undefined;
  readonly #shadow = lazy(async () => {
    const [wasmBinary, { ShadowSchema: shadowSchema }] = await Promise.all([
      readSqliteWasm(),
      import('../sql/shadow/shadowSchema.ts'),
    ]);
    return shadowSchema.open({ wasmBinary, ddl: this.#content.statements });
  });

  constructor(project: ProjectIdentity, content: SchemaContent) {
    this.project = project;
    this.#content = content;
    this.#rowCounts = new Map(content.rowCounts.map(({ table, count }) => [keyOf(table), count]));
  }

  /** The statements of its sqlite_schema that are worth the time to parse them. */
  get statements(): readonly string[] {
    return (this.#statements ??= statementsWithinBudget(this.#content.statements));
  }

  /** The tables, indexes and triggers, read from their DDL when they are first needed. */
  get schema(): Schema {
    return (this.#schema ??= Schema.ofObjects(this.statements));
  }

  /** The schema in SQLite itself. SQLite is loaded with the first diagnosis. */
  async shadow(): Promise<ShadowSchema> {
    return this.#shadow();
  }

  /** The number of rows of a table, if it is known. */
  rowCount(table: string): number | undefined {
    return this.#rowCounts.get(keyOf(table));
  }
}
