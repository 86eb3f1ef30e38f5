import type { ColumnDesign, IndexPart, KeyPart, TableDesign } from '../../protocol/tableDesign.ts';
import { isSameName } from '../../sql/text/names.ts';

/** Gives columns and indexes, by name, the ids of the former design or the draft: a draft refers to columns by id. */
export function withFormerIds(design: TableDesign, formerDesign: TableDesign, draft: TableDesign): TableDesign {
  const columnIds = formerIds(design.columns, formerDesign.columns, draft.columns);
  const indexIds = formerIds(design.indexes, formerDesign.indexes, draft.indexes);
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

function formerIds(
  present: readonly Named[],
  formerParts: readonly Named[],
  draft: readonly Named[],
): Map<string, string> {
  const givenIds = new Set<string>();
  const ids = new Map<string, string>();
  const give = (id: string, formerId: string): void => {
    ids.set(id, formerId);
    givenIds.add(formerId);
  };
  for (const source of [formerParts, draft]) {
    for (const { id, name } of present) {
      const same = source.find(other => isSameName(other.name, name) && !givenIds.has(other.id));
      if (same && !ids.has(id)) give(id, same.id);
    }
  }
  const usedIds = new Set([...formerParts, ...draft].map(({ id }) => id));
  for (const { id } of present) {
    if (ids.has(id)) continue;
    let number = 1;
    while (usedIds.has(`new${number}`) || givenIds.has(`new${number}`)) number++;
    give(id, `new${number}`);
  }
  return ids;
}
