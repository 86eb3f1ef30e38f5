import { parseStatement } from '../parser/parser.ts';
import type { SchemaTable } from '../tables/schemaTable.ts';
import { isSameName } from '../text/names.ts';
import { quoteIdentifier, quoteLike } from '../text/quoting.ts';
import { occurrencesIn } from './occurrences.ts';

/** New names for the objects of a statement. */
interface NewNames {
  readonly table: string;
  /** For the index or trigger that the statement creates. */
  readonly object?: string;
}

/**
 * The statement that creates a table, or an index or trigger on it, with another name for the table. References of the table
 * to itself follow. Undefined if SQLite's grammar does not have the statement.
 */
export function renamedDefinition(sql: string, table: SchemaTable, names: NewNames): string | undefined {
  const { ast, fault } = parseStatement(sql);
  if (!ast || fault) return undefined;
  const lookup = { table: (name: string) => (isSameName(name, table.name) ? table : undefined) };
  let renamed = sql;
  for (const { start, end, symbols, role, isImplied } of occurrencesIn(ast, lookup).toReversed()) {
    if (isImplied) continue;
    const text = sql.slice(start, end);
    const isTable = symbols.some(symbol => symbol.kind === 'table' && isSameName(symbol.name, table.name));
    const isObject = role === 'declaration' && symbols.some(({ kind }) => kind === 'index' || kind === 'trigger');
    const name = isTable ? names.table : isObject ? names.object : undefined;
    if (name === undefined) continue;
    // In single quotes it is a name to SQLite's grammar, but not to people.
    const written = text.startsWith("'") ? quoteIdentifier(name) : quoteLike(name, text);
    renamed = renamed.slice(0, start) + written + renamed.slice(end);
  }
  return renamed;
}
