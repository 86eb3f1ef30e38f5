import type { ColumnDesign, IndexPart, KeyPart, TableDesign } from '../../protocol/tableDesign.ts';
import { isSameName } from '../../sql/text/names.ts';

/**
 * A design that was read again, with the ids that its columns and indexes have in an earlier design or in the user's draft of
 * it. A column is found by its name. Without this, a draft would take one column for another.
 */
export function withFormerIds(design: TableDesign, former: TableDesign, draft: TableDesign): TableDesign {
  const columnIds = formerIds(design.columns, former.columns, draft.columns);
  const indexIds = formerIds(design.indexes, former.indexes, draft.indexes);
  const columnId = (id: string): string => columnIds.get(id) ?? id;
  const inKey = <P extends KeyPart>(part: P): P => ({ ...part, column: columnId(part.column) });
  const inIndex = (part: IndexPart): IndexPart => ('column' in part ? inKey(part) : part);
  const { primaryKey } = design;
  return {
    ...design,
    columns: design.columns.map(column => ({ ...column, id: columnId(column.id) })),
    primaryKey: primaryKey && { ...primaryKey, columns: primaryKey.columns.map(inKey) },
    uniqueKeys: design.uniqueKeys.map(key => ({ ...key, columns: key.columns.map(inKey) })),
    foreignKeys: design.foreignKeys.map(key => ({ ...key, from: key.from.map(columnId) })),
    indexes: design.indexes.map(index => ({
      ...index,
      id: indexIds.get(index.id) ?? index.id,
      parts: index.parts.map(inIndex),
    })),
  };
}

type Named = Pick<ColumnDesign, 'id' | 'name'>;

function formerIds(present: readonly Named[], former: readonly Named[], draft: readonly Named[]): Map<string, string> {
  const taken = new Set<string>();
  const ids = new Map<string, string>();
  const give = (id: string, formerId: string): void => {
    ids.set(id, formerId);
    taken.add(formerId);
  };
  for (const source of [former, draft]) {
    for (const { id, name } of present) {
      const same = source.find(other => isSameName(other.name, name) && !taken.has(other.id));
      if (same && !ids.has(id)) give(id, same.id);
    }
  }
  const used = new Set([...former, ...draft].map(({ id }) => id));
  for (const { id } of present) {
    if (ids.has(id)) continue;
    let number = 1;
    while (used.has(`new${number}`) || taken.has(`new${number}`)) number++;
    give(id, `new${number}`);
  }
  return ids;
}
