import type { Schema } from '../schema/schema.ts';

/** A table or view of a schema, or one of its columns. */
export interface SchemaSymbol {
  readonly kind: 'table' | 'view' | 'column';
  readonly name: string;
  /** The table or view itself, or that of the column. */
  readonly table: string;
}

/**
 * The symbols whose names have the characters of a query in this order, as VS Code matches them. Names that begin with the
 * query come first, then those that contain it; tables come before columns.
 */
export function matchingSymbols(schema: Schema, query: string, limit: number): SchemaSymbol[] {
  const wanted = query.toLowerCase();
  const ranked: SchemaSymbol[][] = Array.from({ length: 6 }, () => []);
  const add = (symbol: SchemaSymbol): void => {
    const rank = rankOf(symbol.name.toLowerCase(), wanted);
    if (rank !== undefined) ranked[rank + (symbol.kind === 'column' ? 3 : 0)]!.push(symbol);
  };
  for (const { name, kind, columns } of schema.tables) {
    add({ kind: kind === 'view' ? 'view' : 'table', name, table: name });
    // Without a query the columns of all tables would hide the tables.
    if (wanted !== '') for (const column of columns) add({ kind: 'column', name: column.name, table: name });
  }
  return ranked.flat().slice(0, limit);
}

function rankOf(name: string, query: string): number | undefined {
  const index = name.indexOf(query);
  if (index !== -1) return index === 0 ? 0 : 1;
  let offset = 0;
  for (const character of query) {
    offset = name.indexOf(character, offset) + 1;
    if (offset === 0) return undefined;
  }
  return 2;
}
