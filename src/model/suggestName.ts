import { unknownName } from '../sql/errors/readableError.ts';
import { nearestNames } from '../sql/fixes/nearestNames.ts';
import { isSameName } from '../sql/text/names.ts';

/** The names of a project, such as its catalog has. */
interface NameSource {
  columns(table: string): Promise<readonly { readonly name: string }[]>;
  tables(): Promise<readonly string[]>;
  views(): Promise<readonly string[] | undefined>;
}

/** Look up the columns of this many tables at most: each may cost a request. */
const maxTables = 8;

/** The name that was most likely meant. Undefined if the message of SQLite has another cause, or no name is similar. */
export async function suggestName(
  message: string,
  tables: readonly { readonly name: string }[],
  catalog: NameSource,
): Promise<string | undefined> {
  const unknown = unknownName(message);
  if (!unknown) return undefined;
  const { kind, name } = unknown;
  const [, qualifier = '', ownName = name] = /^(.*\.)?([^.]*)$/s.exec(name) ?? [];
  const candidates = await candidatesOf(kind, tables.slice(0, maxTables), catalog);
  const [nearest] = nearestNames(ownName, candidates).names;
  return nearest === undefined || isSameName(nearest, ownName) ? undefined : `${qualifier}${nearest}`;
}

async function candidatesOf(
  kind: 'column' | 'table' | 'function',
  tables: readonly { readonly name: string }[],
  catalog: NameSource,
): Promise<readonly string[]> {
  switch (kind) {
    case 'column': {
      // A table whose columns cannot be read suggests nothing.
      const columns = await Promise.all(tables.map(({ name }) => catalog.columns(name).catch(() => [])));
      return columns.flat().map(column => column.name);
    }
    case 'table': {
      const lists = await Promise.all([catalog.tables().catch(() => []), catalog.views().catch(() => [])]);
      return lists.flatMap(names => names ?? []);
    }
    case 'function': {
      const { builtInFunctions } = await import('../sql/functions/builtInFunctions.ts');
      return builtInFunctions.map(({ name }) => name);
    }
  }
}
