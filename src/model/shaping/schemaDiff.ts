import { schemaObjectOf } from '../../sql/shadow/ddlStatement.ts';
import { shadowTablesOf } from '../../sql/shadow/virtualTables.ts';
import { keyOf } from '../../sql/text/names.ts';
import { normalizedSql } from './canonicalDesign.ts';
import type { ObjectKind } from '../../sql/effect/namedChange.ts';
import type { SchemaEntry } from '../catalog/schemaEntries.ts';

/** An object that two schemas do not have in common. Without one of the entries, the object is in the other schema only. */
export interface ObjectDifference {
  readonly kind: ObjectKind;
  readonly name: string;
  /** The table or view that it belongs to, or its own name. */
  readonly owner: string;
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
    const { kind, name, table } = (fromEntry ?? toEntry)!;
    return [{ kind, name, owner: table, from: fromEntry, to: toEntry }];
  });
}

/** Groups differences by the documents that show them: a document has a table or view with its indexes and triggers. */
export function differingOwners(
  differences: readonly ObjectDifference[],
  from: readonly SchemaEntry[],
  to: readonly SchemaEntry[],
): OwnerDifference[] {
  const fromOwners = ownersOf(from);
  const toOwners = ownersOf(to);
  const owners = new Map<string, OwnerDifference>();
  for (const { from: fromEntry, to: toEntry } of differences) {
    for (const { table } of [fromEntry, toEntry].filter(entry => entry !== undefined)) {
      const inFrom = fromOwners.get(keyOf(table));
      const inTo = toOwners.get(keyOf(table));
      // A view in place of a table is another document, so both are shown.
      for (const { kind: ownKind, name } of [inFrom, inTo].filter(entry => entry !== undefined)) {
        const kind = ownKind === 'view' ? 'view' : 'table';
        const key = `${kind} ${keyOf(table)}`;
        if (owners.has(key)) continue;
        owners.set(key, { kind, name, isInFrom: inFrom?.kind === kind, isInTo: inTo?.kind === kind });
      }
    }
  }
  return [...owners.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

const isSameObject = (a: SchemaEntry, b: SchemaEntry): boolean =>
  a.sql === b.sql ||
  (a.kind === b.kind && keyOf(a.table) === keyOf(b.table) && normalizedSql(a.sql) === normalizedSql(b.sql));

const ownersOf = (entries: readonly SchemaEntry[]): Map<string, SchemaEntry> =>
  new Map(entries.filter(({ kind }) => kind === 'table' || kind === 'view').map(entry => [keyOf(entry.name), entry]));

/** The objects by kind and name, without the tables in which a virtual table stores its rows: they follow it. */
function objectsOf(entries: readonly SchemaEntry[]): Map<string, SchemaEntry> {
  const shadows = new Set(
    entries.flatMap(({ kind, sql }) => {
      const object = kind === 'table' ? schemaObjectOf(sql) : undefined;
      return object ? shadowTablesOf(object) : [];
    }),
  );
  return new Map(
    entries
      .filter(({ kind, name }) => kind !== 'table' || !shadows.has(keyOf(name)))
      .map(entry => [`${entry.kind} ${keyOf(entry.name)}`, entry]),
  );
}
