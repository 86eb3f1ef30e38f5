import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { atMostEvery, monotonicClock } from '../base/clock.ts';
import { lazy } from '../base/lazy.ts';
import { doAtOnce, doInTurns } from '../base/turns.ts';
import type { KnownRowCount } from '../protocol/languageBridge.ts';
import { statementsWithinBudget } from '../sql/parser/parseBudget.ts';
import { Schema } from '../sql/schema/schema.ts';
import type { ShadowSchema } from '../sql/shadow/shadowSchema.ts';
import type { FindLookupValues, LookupColumn, LookupValue } from '../sql/completion/surroundings.ts';
import type { SchemaColumn } from '../sql/tables/schemaTable.ts';
import { isSameName, keyOf } from '../sql/text/names.ts';

interface SchemaContent {
  readonly statements: readonly string[];
  readonly rowCounts: readonly KnownRowCount[];
}

interface Lookup {
  readonly load: () => Promise<readonly LookupValue[]>;
  values: readonly LookupValue[] | undefined;
}

/** The rows of a lookup table seldom change. */
const lookupAgeMs = 60_000;

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

  readonly #lookups = new Map<string, Lookup>();
  readonly #loadLookup: (column: LookupColumn) => Promise<readonly LookupValue[]>;
  #missingLookups: Promise<unknown> | undefined;

  constructor(
    project: ProjectIdentity,
    content: SchemaContent,
    loadLookup: (column: LookupColumn) => Promise<readonly LookupValue[]> = () => Promise.resolve([]),
  ) {
    this.project = project;
    this.#content = content;
    this.#loadLookup = loadLookup;
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

  /** The values that are known. Requests them if they are not, or were read a while ago. */
  readonly lookupValues: FindLookupValues = (table, column) => {
    const target = this.schema.table(table);
    if (target?.kind !== 'table') return undefined;
    const isText = ({ name, type }: SchemaColumn): boolean => /char|text|clob/i.test(type) && !isSameName(name, column);
    const textColumn = target.columns.find(isText)?.name ?? null;
    const key = JSON.stringify([keyOf(table), keyOf(column)]);
    const lookup: Lookup = this.#lookups.get(key) ?? {
      load: atMostEvery(lookupAgeMs, monotonicClock, () => this.#loadLookup({ table, column, textColumn })),
      values: undefined,
    };
    this.#lookups.set(key, lookup);
    const loaded = lookup.load().then(values => (lookup.values = values));
    if (!lookup.values) this.#missingLookups = loaded;
    return lookup.values;
  };

  /** Resolves with the values that {@link lookupValues} did not have since the last call. Undefined if it had all. */
  takeLookups(): Promise<unknown> | undefined {
    const missing = this.#missingLookups;
    this.#missingLookups = undefined;
    return missing;
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
