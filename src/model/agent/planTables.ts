import type { PlanStepView } from '../../protocol/results.ts';
import { parseStatement } from '../../sql/parser/parser.ts';
import { nodesIn } from '../../sql/parser/walk.ts';
import type { SchemaTable } from '../../sql/tables/schemaTable.ts';
import { keyOf } from '../../sql/text/names.ts';

type PlanSteps = readonly Pick<PlanStepView, 'detail' | 'step'>[];

/** The table that each step of a plan reads. Undefined for other steps. A plan names a table by its alias. */
export function planTables(sql: string, steps: PlanSteps, all: readonly SchemaTable[]): (string | undefined)[] {
  const tables = new Map(all.flatMap(({ name, kind }) => (kind === 'table' ? [[keyOf(name), name] as const] : [])));
  const aliases = new Map<string, string>();
  const { ast } = parseStatement(sql);
  for (const { node } of ast ? nodesIn(ast) : []) {
    if (node.type === 'TableSelectTable' && node.alias)
      aliases.set(keyOf(node.alias.name.text), node.tblName.objName.text);
  }
  return steps.map(({ detail }) => {
    const name = /^(?:SCAN|SEARCH) (\S+)/.exec(detail)?.[1] ?? '';
    return tables.get(keyOf(aliases.get(keyOf(name)) ?? name));
  });
}

/** Says which indexes SQLite lacks so much that it makes them for the statement alone. */
export function missingIndexes(steps: PlanSteps, tables: readonly (string | undefined)[]): string[] {
  return steps.flatMap(({ detail }, index) => {
    const columns = /\bAUTOMATIC .*INDEX \((.+)\)/.exec(detail)?.[1]?.replaceAll(/[=<>]+\?/g, '');
    const table = tables[index];
    if (columns === undefined || table === undefined) return [];
    return [`${table} (${columns.replaceAll(' AND ', ', ')}): SQLite makes this index again for each run`];
  });
}
