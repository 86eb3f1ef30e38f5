import type { SchemaColumn } from './schemaTable.ts';

/** Resolving columns recurses through views and subqueries. This keeps it within the call stack. */
const maxDepth = 50;
let depth = 0;

/** Columns that are resolved when they are first read. A table that reads itself has no columns while it is resolved. */
export function lazyColumns(resolve: () => readonly SchemaColumn[]): () => readonly SchemaColumn[] {
  let columns: readonly SchemaColumn[] | undefined;
  let isResolving = false;
  return () => {
    if (columns) return columns;
    if (isResolving || depth >= maxDepth) return [];
    isResolving = true;
    depth++;
    try {
      columns = resolve();
      return columns;
    } finally {
      depth--;
      isResolving = false;
    }
  };
}

export const untypedColumn = (name: string): SchemaColumn => ({ name, type: '' });
