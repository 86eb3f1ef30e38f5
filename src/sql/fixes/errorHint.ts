import { syntaxFaults } from '../diagnosis/fault.ts';
import { effectOf } from '../effect/statementEffect.ts';
import { nearestNames } from './nearestNames.ts';
import type { SchemaTable } from '../tables/schemaTable.ts';
import { isSameName } from '../text/names.ts';
import { unknownName } from '../errors/readableError.ts';

/** The names of a project, such as its catalog has. */
interface NameSource {
  columns(table: string): Promise<readonly { readonly name: string }[]>;
  tables(): Promise<readonly string[]>;
  views(): Promise<readonly string[] | undefined>;
}

/** Look up the columns of this many tables at most: each may cost a request. */
const maxTables = 8;

/** A longer statement is data rather than code, and is parsed for long. */
const maxLength = 64 * 1024;

/** A sentence that suggests a fix for an error of SQLite. Problems, results and answers to agents show the same. */
export async function errorHint(message: string, sql: string, names: NameSource): Promise<string | undefined> {
  if (sql.length > maxLength) return undefined;
  const unknown = unknownName(message);
  if (!unknown) return message.startsWith('near "') ? syntaxFaults(sql)[0]?.hint : undefined;
  const { kind, name } = unknown;
  const [, qualifier = '', ownName = name] = /^(.*\.)?([^.]*)$/s.exec(name) ?? [];
  const candidates = await candidatesOf(kind, sql, names);
  const [nearest] = nearestNames(ownName, candidates).names;
  return nearest === undefined || isSameName(nearest, ownName) ? undefined : `Did you mean '${qualifier}${nearest}'?`;
}

async function candidatesOf(
  kind: 'column' | 'table' | 'function',
  sql: string,
  names: NameSource,
): Promise<readonly string[]> {
  switch (kind) {
    case 'column': {
      const tables = effectOf(sql).tables.slice(0, maxTables);
      // A table whose columns cannot be read suggests nothing.
      const columns = await Promise.all(tables.map(table => names.columns(table.name).catch(() => [])));
      return columns.flat().map(column => column.name);
    }
    case 'table': {
      const lists = await Promise.all([names.tables().catch(() => []), names.views().catch(() => [])]);
      return lists.flatMap(list => list ?? []);
    }
    case 'function': {
      const { builtInFunctions } = await import('../functions/builtInFunctions.ts');
      return builtInFunctions.map(({ name }) => name);
    }
  }
}

export const namesOfTables = (tables: readonly SchemaTable[]): NameSource => ({
  columns: async table => tables.find(one => isSameName(one.name, table))?.columns ?? [],
  tables: async () => tables.map(table => table.name),
  views: async () => [],
});
