import { keyOf } from '../../sql/text/names.ts';
import { normalizedSql } from './canonicalDesign.ts';
import { shadowTablesIn } from './readTableDesign.ts';
import type { ObjectKind } from '../../sql/effect/namedChange.ts';
import type { SchemaEntry } from '../catalog/schemaEntries.ts';

/** An object that two schemas do not have in common. Without one of the entries, the object is in the other schema only. */
export interface ObjectDifference {
  readonly kind: ObjectKind;
  readonly name: string;
  readonly from: SchemaEntry | undefined;
  readonly to: SchemaEntry | undefined;
}

/** A table or view that differs, or has an index or a trigger that does. */
export interface OwnerDifference {
  readonly kind: 'table' | 'view';
  readonly name: string;
  readonly isInFrom: boolean;
  readonly isInTo: boolean;
}

/** How the objects of one schema differ from those of another, in the order of their names. */
export function diffSchemas(from: readonly SchemaEntry[], to: readonly SchemaEntry[]): ObjectDifference[] {
  const fromObjects = objectsOf(from);
  const toObjects = objectsOf(to);
  const keys = [...new Set([...fromObjects.keys(), ...toObjects.keys()])].toSorted();
  return keys.flatMap((key): ObjectDifference[] => {
    const fromEntry = fromObjects.get(key);
    const toEntry = toObjects.get(key);
    if (fromEntry && toEntry && isSameObject(fromEntry, toEntry)) return [];
    const { kind, name } = (fromEntry ?? toEntry)!;
    return [{ kind, name, from: fromEntry, to: toEntry }];
  });
}

/** Groups differences by the documents that show them: a document has a table or view with its indexes and triggers. */
export function differingOwners(
  differences: readonly ObjectDifference[],
  from: readonly SchemaEntry[],
  to: readonly SchemaEntry[],
): OwnerDifference[] {
  const inFrom = byKindAndName(from);
  const inTo = byKindAndName(to);
  const owners = new Map<string, OwnerDifference>();
  for (const { table } of differences.flatMap(difference => [difference.from ?? [], difference.to ?? []].flat())) {
    // A view in place of a table is another document, so both are shown.
    for (const kind of ['table', 'view'] as const) {
      const key = `${kind} ${keyOf(table)}`;
      const owner = inFrom.get(key) ?? inTo.get(key);
      if (owner) owners.set(key, { kind, name: owner.name, isInFrom: inFrom.has(key), isInTo: inTo.has(key) });
    }
  }
  return [...owners.values()].toSorted((a, b) => (a.name < b.name || (a.name === b.name && a.isInFrom) ? -1 : 1));
}

const isSameObject = (a: SchemaEntry, b: SchemaEntry): boolean =>
  a.sql === b.sql ||
  (a.kind === b.kind && keyOf(a.table) === keyOf(b.table) && normalizedSql(a.sql) === normalizedSql(b.sql));

const byKindAndName = (entries: readonly SchemaEntry[]): Map<string, SchemaEntry> =>
  new Map(entries.map(entry => [`${entry.kind} ${keyOf(entry.name)}`, entry]));

/** The objects by kind and name, without the tables in which a virtual table stores its rows: they follow it. */
function objectsOf(entries: readonly SchemaEntry[]): Map<string, SchemaEntry> {
  const shadows = shadowTablesIn(entries);
  return byKindAndName(entries.filter(({ kind, name }) => kind !== 'table' || !shadows.has(keyOf(name))));
}
