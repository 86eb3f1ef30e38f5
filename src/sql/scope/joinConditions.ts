import type { ForeignKey, TableLookup } from '../tables/schemaTable.ts';
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
    foreignKeysOfSource(from, schema).flatMap(key => conditionOf(key, { from, to, schema, and }) ?? []);
  return before.flatMap(earlier => [...directed(joined, earlier), ...directed(earlier, joined)]);
}

interface Direction {
  readonly from: Source;
  readonly to: Source;
  readonly schema: TableLookup;
  readonly and: string;
}

function conditionOf(key: ForeignKey, { from, to, schema, and }: Direction): string | undefined {
  const { columns, table } = key;
  if (!isSameName(to.table ?? '', table)) return undefined;
  const targets = referencedColumns(key, schema);
  if (targets.length !== columns.length) return undefined;
  return columns
    .map((name, index) => `${qualifiedColumn(from, name)} = ${qualifiedColumn(to, targets[index]!)}`)
    .join(` ${and} `);
}

const qualifiedColumn = ({ alias }: Source, name: string): string =>
  `${quoteIdentifierIfNeeded(alias)}.${quoteIdentifierIfNeeded(name)}`;
