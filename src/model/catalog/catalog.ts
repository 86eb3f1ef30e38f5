import { asProjectError } from '../../base/errors.ts';
import { Emitter } from '../../base/emitter.ts';
import type { Project } from '../../client/index.ts';
import { keyOf } from '../../sql/text/names.ts';
import {
  columnsOf,
  definitionsOf,
  foreignKeysOf,
  indexesOf,
  namesOfKind,
  rowCountOf,
  triggersOf,
  type CatalogColumn,
  type CatalogIndex,
  type Definition,
  type ObjectKind,
  type Reference,
} from './catalogQueries.ts';

export type { CatalogColumn, CatalogIndex, Definition, ObjectKind } from './catalogQueries.ts';

/**
 * What a project's database holds. The endpoints for tables and columns are asked where the service has them, SQLite's own
 * schema tables for the rest. What was asked once is kept until {@link forget}: nothing is asked before it is wanted.
 */
export class Catalog {
  readonly #open: () => Promise<Project>;
  readonly #answers = new Map<string, Promise<unknown>>();
  readonly #changes = new Emitter<void>();

  /** Heard when what was known may no longer be so. */
  readonly onChange = this.#changes.on;

  constructor(open: () => Promise<Project>) {
    this.#open = open;
  }

  tables(): Promise<readonly string[]> {
    return this.#once('tables', async project =>
      sorted(
        await offered(
          () => project.tables(),
          () => namesOfKind(project, 'table'),
        ),
      ),
    );
  }

  /** Undefined when the service does not tell. */
  views(): Promise<readonly string[] | undefined> {
    return this.#once('views', project => allowed(async () => sorted(await namesOfKind(project, 'view'))));
  }

  columns(table: string): Promise<readonly CatalogColumn[]> {
    return this.#once(columnsOfTable(table), async project => {
      const columns = await offered<Omit<CatalogColumn, 'references'>[]>(
        async () => [...(await project.schema(table)).columns],
        () => columnsOf(project, table),
      );
      const keys = await allowed(() => foreignKeysOf(project, table));
      return columns.map(column => withReference(column, keys?.get(keyOf(column.name))));
    });
  }

  /** Asked anew, since others may have changed the table. */
  columnsNow(table: string): Promise<readonly CatalogColumn[]> {
    this.#answers.delete(columnsOfTable(table));
    return this.columns(table);
  }

  /** Undefined when the service does not tell. */
  indexes(table: string): Promise<readonly CatalogIndex[] | undefined> {
    return this.#once(`indexes ${table}`, project => allowed(() => indexesOf(project, table)));
  }

  /** Undefined when the service does not tell. */
  triggers(table: string): Promise<readonly string[] | undefined> {
    return this.#once(`triggers ${table}`, project => allowed(() => triggersOf(project, table)));
  }

  /** What an object was made by, and behind a table its indexes and triggers. Empty when there is none of that name. */
  definitions(kind: ObjectKind, name: string): Promise<readonly Definition[]> {
    return this.#once(`definitions ${kind} ${name}`, project => definitionsOf(project, kind, name));
  }

  /** Always counted anew. */
  async rowCount(table: string, signal?: AbortSignal): Promise<bigint> {
    return rowCountOf(await this.#open(), table, signal);
  }

  forget(): void {
    this.#answers.clear();
    this.#changes.fire();
  }

  #once<T>(question: string, ask: (project: Project) => Promise<T>): Promise<T> {
    const known = this.#answers.get(question) as Promise<T> | undefined;
    if (known) return known;
    const answer = this.#open().then(ask);
    this.#answers.set(question, answer);
    // A question that failed is asked again the next time.
    answer.catch(() => {
      if (this.#answers.get(question) === answer) this.#answers.delete(question);
    });
    return answer;
  }
}

const columnsOfTable = (table: string): string => `columns ${table}`;

const withReference = (
  column: Omit<CatalogColumn, 'references'>,
  references: Reference | undefined,
): CatalogColumn => ({
  ...column,
  references,
});

/** The endpoint's answer, or the other way's where the service has no such endpoint. */
async function offered<T>(endpoint: () => Promise<T>, otherwise: () => Promise<T>): Promise<T> {
  try {
    return await endpoint();
  } catch (thrown) {
    if (isMissingEndpoint(thrown)) return otherwise();
    throw thrown;
  }
}

/** Whether the service has nothing at this address, or may have something else there that does not do this. */
export function isMissingEndpoint(thrown: unknown): boolean {
  const error = asProjectError(thrown);
  const status = statusOf(error);
  return (
    status === 405 || status === 501 || (status === 404 && !/^(?:table|project)_not_found$/.test(error?.code ?? ''))
  );
}

/** What the service may refuse to tell, or offer no way to ask, without anything being wrong: undefined then. */
async function allowed<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (thrown) {
    const error = asProjectError(thrown);
    const status = statusOf(error);
    const isRefused = status === 400 || status === 422 || (status === 403 && error?.code === 'denied_statement');
    if (isRefused || isMissingEndpoint(thrown)) return undefined;
    throw thrown;
  }
}

const statusOf = (error: Error | undefined): unknown => (error && 'status' in error ? error.status : undefined);

const sorted = (names: readonly string[]): string[] => names.toSorted(compare);

const { compare } = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });
