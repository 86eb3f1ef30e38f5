import type { SchemaColumn } from './schemaTable.ts';

/** Resolving columns recurses through views and subqueries. This keeps it within the call stack. */
const maxDepth = 50;
let depth = 0;

/** Columns that are resolved when they are first read. A table that reads itself has no columns while it is resolved. */
export class LazyColumns {
  readonly #resolve: () => readonly SchemaColumn[];
  #columns: readonly SchemaColumn[] | undefined;
  #isResolving = false;

  constructor(resolve: () => readonly SchemaColumn[]) {
    this.#resolve = resolve;
  }

  get(): readonly SchemaColumn[] {
    if (this.#columns) return this.#columns;
    if (this.#isResolving || depth >= maxDepth) return [];
    this.#isResolving = true;
    depth++;
    try {
      this.#columns = this.#resolve();
      return this.#columns;
    } finally {
      depth--;
      this.#isResolving = false;
    }
  }
}

export const untypedColumn = (name: string): SchemaColumn => ({ name, type: '' });
