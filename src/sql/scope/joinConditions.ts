import type { TableLookup } from '../tables/schemaTable.ts';
import { isSameName } from '../text/names.ts';
import { quoteIdentifierIfNeeded } from '../text/quoting.ts';
import { foreignKeysOfSource, referencedColumns } from './foreignKeys.ts';
import type { Source } from './sources.ts';

/** The conditions by which foreign keys of either side connect a table with earlier ones. `and` is the keyword to write. */
export function joinConditions(
  joined: Source,
  before: readonly Source[],
  { schema, and = 'AND' }: { readonly schema: TableLookup; readonly and?: string },
): string[] {
  const directed = (from: Source, to: Source): string[] =>
    foreignKeysOfSource(from, schema).flatMap(key => {
      const targets = referencedColumns(key, schema);
      if (!isSameName(to.table ?? '', key.table) || targets.length !== key.columns.length) return [];
      return key.columns
        .map((name, index) => `${qualifiedColumn(from, name)} = ${qualifiedColumn(to, targets[index]!)}`)
        .join(` ${and} `);
    });
  return before.flatMap(earlier => [...directed(joined, earlier), ...directed(earlier, joined)]);
}

const qualifiedColumn = ({ alias }: Source, name: string): string =>
  `${quoteIdentifierIfNeeded(alias)}.${quoteIdentifierIfNeeded(name)}`;
