import { effectOf } from '../../sql/effect/statementEffect.ts';
import type { SchemaTable } from '../../sql/tables/schemaTable.ts';
import { isSameName } from '../../sql/text/names.ts';
import { suggestName } from '../suggestName.ts';

/** A sentence for the refusal of a statement with an unknown name: it names the nearest one. Empty if no name is near. */
export async function nameHint(message: string, sql: string, tables: readonly SchemaTable[]): Promise<string> {
  const name = await suggestName(message, effectOf(sql).tables, {
    columns: async table => tables.find(one => isSameName(one.name, table))?.columns ?? [],
    tables: async () => tables.map(table => table.name),
    views: async () => [],
  });
  return name === undefined ? '' : ` Did you mean "${name}"?`;
}
