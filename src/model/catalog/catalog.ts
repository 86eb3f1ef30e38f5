import { Emitter } from '../../base/emitter.ts';
import { type Lazy, lazy } from '../../base/lazy.ts';
import type { Project, SqlCallOptions } from '../../client/index.ts';
import type { DiagramTable } from '../../protocol/diagram.ts';
import type { ObjectKind } from '../../sql/effect/namedChange.ts';
import { keyOf } from '../../sql/text/names.ts';
import { asServiceError } from '../../wire/serviceError.ts';
import {
  catalogColumnsOf,
  definitionsOf,
  referencesOf,
  indexesOf,
  namesOfKind,
  rowCountOf,
  schemaStatementsOf,
  triggersOf,
  type CatalogColumn,
  type CatalogIndex,
  type ObjectDefinition,
} from './catalogQueries.ts';

export type { CatalogColumn, CatalogIndex, ObjectDefinition } from './catalogQueries.ts';

/** Returns the client of the project. It may ask the user for a key, unless `isQuiet` is set. */
type OpenProject = (isQuiet?: boolean) => Promise<Project>;

export interface RowCount {
  readonly table: string;
  readonly count: bigint;
}

/**
 * The schema of a project's database. Answers are cached until {@link forget}, and nothing is fetched before it is needed.
 * Without endpoints for tables and columns, statements on SQLite's schema tables answer in their place.
 */
export class Catalog {
  readonly #openProject: OpenProject;
  /** A failure is not cached. */
  readonly #cache = new Map<string, Lazy<unknown>>();
  readonly #rowCounts = new Map<string, bigint>();
  readonly #changes = new Emitter<void>();
  readonly #counts = new Emitter<RowCount>();

  /** Fires when cached answers may be out of date. */
  readonly onChange = this.#changes.on;
  readonly onCount = this.#counts.on;

  constructor(openProject: OpenProject) {
    this.#openProject = openProject;
  }

  tables(): Promise<readonly string[]> {
    return this.#cached('tables', async project => {
      const names = await endpointOr(
        () => project.tables(),
        () => namesOfKind(project, 'table'),
      );
      return sortNames(names);
    });
  }

  /** Undefined if the service does not report them. */
  views(): Promise<readonly string[] | undefined> {
    return this.#cached('views', project =>
      undefinedIfRefused(async () => sortNames(await namesOfKind(project, 'view'))),
    );
  }

  columns(table: string): Promise<readonly CatalogColumn[]> {
    return this.#cached(columnsKey(table), async project => {
      const columns = await endpointOr<Omit<CatalogColumn, 'references'>[]>(
        async () => [...(await project.schema(table)).columns],
        () => catalogColumnsOf(project, table),
      );
      const foreignKeys = await undefinedIfRefused(() => referencesOf(project, table));
      return columns.map(column => Object.assign(column, { references: foreignKeys?.get(keyOf(column.name)) }));
    });
  }

  /** Fetched anew, as others may have changed the table. */
  freshColumns(table: string): Promise<readonly CatalogColumn[]> {
    this.#cache.delete(columnsKey(table));
    return this.columns(table);
  }

  /** Undefined if the service does not report them. */
  indexes(table: string): Promise<readonly CatalogIndex[] | undefined> {
    return this.#cached(`indexes ${table}`, project => undefinedIfRefused(() => indexesOf(project, table)));
  }

  /** Undefined if the service does not report them. */
  triggers(table: string): Promise<readonly string[] | undefined> {
    return this.#cached(`triggers ${table}`, project => undefinedIfRefused(() => triggersOf(project, table)));
  }

  /** All tables with their columns and foreign keys, read at one moment. */
  relations(): Promise<readonly DiagramTable[]> {
    return this.#cached('relations', async project => {
      const { readRelations } = await import('./relations.ts');
      return readRelations(project);
    });
  }

  /** The CREATE statement of an object; for a table or view, those of its indexes and triggers follow. Empty if there is none. */
  definitions(kind: ObjectKind, name: string): Promise<readonly ObjectDefinition[]> {
    return this.#cached(`definitions ${kind} ${name}`, project => definitionsOf(project, kind, name));
  }

  async rowCount(table: string, signal?: AbortSignal): Promise<bigint> {
    const count = await rowCountOf(await this.#openProject(), table, signal);
    this.#rowCounts.set(table, count);
    this.#counts.fire({ table, count });
    return count;
  }

  /** The last count of each table that was counted. The tables may have changed since. */
  get lastRowCounts(): ReadonlyMap<string, bigint> {
    return this.#rowCounts;
  }

  /** For the language server: never cached. Undefined if the service does not report them. */
  schemaStatements(options: SqlCallOptions = {}): Promise<readonly string[] | undefined> {
    return undefinedIfRefused(async () => schemaStatementsOf(await this.openQuietly(), options));
  }

  /** The project for the language server, which never asks the user for a key. */
  openQuietly(): Promise<Project> {
    return this.#openProject(true);
  }

  forget(): void {
    this.#cache.clear();
    this.#changes.fire();
  }

  #cached<T>(key: string, fetch: (project: Project) => Promise<T>): Promise<T> {
    const cached = this.#cache.get(key) ?? lazy(async () => fetch(await this.#openProject()));
    this.#cache.set(key, cached);
    return cached() as Promise<T>;
  }
}

const columnsKey = (table: string): string => `columns ${table}`;

/** The endpoint's answer, or that of a statement if the service does not have the endpoint. */
async function endpointOr<T>(callEndpoint: () => Promise<T>, runStatement: () => Promise<T>): Promise<T> {
  try {
    return await callEndpoint();
  } catch (thrown) {
    if (isMissingEndpoint(thrown)) return runStatement();
    throw thrown;
  }
}

/** Whether the service does not have the endpoint, or something else answers at its address. */
export function isMissingEndpoint(thrown: unknown): boolean {
  const { status, code } = asServiceError(thrown) ?? {};
  if (status === 404) return code !== 'table_not_found' && code !== 'project_not_found';
  return status === 405 || status === 501;
}

/** Undefined if the service refuses the statement, which it may: it need not show SQLite's schema tables. */
async function undefinedIfRefused<T>(runStatement: () => Promise<T>): Promise<T | undefined> {
  try {
    return await runStatement();
  } catch (thrown) {
    const { status, code } = asServiceError(thrown) ?? {};
    const isRefused = status === 400 || status === 422 || (status === 403 && code === 'denied_statement');
    if (isRefused || isMissingEndpoint(thrown)) return undefined;
    throw thrown;
  }
}

const sortNames = (names: readonly string[]): string[] => names.toSorted(compare);

const { compare } = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });
