import type { CommonTableExpr, QualifiedName, Stmt } from 'sqlite3-parser';
import { rangeOf } from '../parser/nodeRange.ts';
import { type Visited, walk } from '../parser/walk.ts';
import { isSameName } from '../text/names.ts';
import { type LintContext, shownName } from './lintContext.ts';

/** Reports common tables that nothing but themselves reads. */
export function lintUnusedCommonTables(statement: Stmt, context: LintContext): void {
  const unused = new Set<CommonTableExpr>();
  const references: { readonly visited: Visited; readonly name: QualifiedName }[] = [];
  walk(statement, visited => {
    const { node } = visited;
    if (node.type === 'CommonTableExpr') unused.add(node);
    if (node.type === 'TableSelectTable') references.push({ visited, name: node.tblName });
    if (node.type === 'InTableExpr') references.push({ visited, name: node.rhs });
    return true;
  });
  if (unused.size === 0) return;
  for (const { visited, name } of references) {
    const table = name.dbName ? undefined : referencedTable(name.objName.text, visited);
    if (table?.isRead) unused.delete(table.common);
    // An unknown name may be that of a common table, misspelt.
    else if (!table && !name.dbName && !context.schema.table(name.objName.text)) return;
  }
  for (const table of unused) {
    const name = shownName(table.tblName.text);
    context.add('unused_common_table', rangeOf(table), `Nothing reads the common table ${name}. Remove it.`);
  }
}

interface ReferencedTable {
  readonly common: CommonTableExpr;
  /** False within the common table itself. */
  readonly isRead: boolean;
}

/** The common table that a name stands for. Undefined for a table of the schema. */
function referencedTable(name: string, visited: Visited): ReferencedTable | undefined {
  const enclosingTables = new Set<CommonTableExpr>();
  for (let ancestor: Visited | undefined = visited; ancestor; ancestor = ancestor.parent) {
    const { node } = ancestor;
    if (node.type === 'CommonTableExpr') enclosingTables.add(node);
    const clause = 'with' in node ? node.with : undefined;
    const common = clause?.ctes.find(({ tblName }) => isSameName(tblName.text, name));
    if (common) return { common, isRead: !enclosingTables.has(common) };
  }
  return undefined;
}
