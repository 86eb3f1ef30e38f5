import type { CopiedTable, TableDefinition } from '../../model/copying/copiedTable.ts';
import { mapColumns, proposedKey } from '../../model/importing/mapping.ts';
import { isSameName } from '../../sql/text/names.ts';
import { type ChosenTable, type ChoiceFault, type TargetChoice, targetFault } from '../importing/importChoice.ts';

/** The choices of the user for a copy. */
export interface CopyChoice extends TargetChoice {
  readonly source: CopiedTable;
  readonly definition: TableDefinition;
  /** Whether source and target are one project. */
  readonly isSameProject: boolean;
  /** The names of all tables of the target. */
  readonly tables: readonly string[];
  readonly stopsAtRejection: boolean;
  /** Both count for a new table only. */
  readonly copiesIndexes: boolean;
  readonly copiesTriggers: boolean;
}

/** Chooses another table, and maps the columns by their names. */
export function withCopyTable<C extends CopyChoice>(choice: C, table: ChosenTable): C {
  const names = columnNamesOf(choice);
  const columns = table.columns
    ? mapColumns(names, table.columns, true)
    : names.map((target, index) => ({ source: index, target }));
  const key = table.columns ? proposedKey(table.columns, columns) : [];
  return { ...choice, table, target: { ...choice.target, mode: 'insert', table: table.name, columns, key } };
}

export const columnNamesOf = ({ source }: CopyChoice): string[] => source.columns.map(({ name }) => name);

/** Why the table cannot be copied so. Undefined if it can. */
export function copyFault(choice: CopyChoice): ChoiceFault | { readonly kind: 'sameTable' } | undefined {
  const { source, table, isSameProject } = choice;
  if (isSameProject && isSameName(source.name, table.name)) return { kind: 'sameTable' };
  return targetFault(choice);
}

/** Tables that the foreign keys of a new table need, and the target does not have. */
export function missingReferences({ source, table, tables }: CopyChoice): string[] {
  if (table.columns) return [];
  return source.references.filter(name => !tables.some(other => isSameName(other, name)));
}
