import { mentionedNames } from '../text/mentionedNames.ts';

export type SchemaObjectKind = 'virtual' | 'table' | 'view' | 'index' | 'trigger';
export type DatabaseName = 'main' | 'temp';

/** A table, view, index or trigger with the statement that creates it. Names are keys: in lower case, without quotes. */
export interface SchemaObject {
  readonly kind: SchemaObjectKind;
  readonly database: DatabaseName;
  readonly name: string;
  /** The table or view that an index or a trigger belongs to. */
  readonly owner: string | undefined;
  readonly sql: string;
  /** SQLite does not accept the statement yet. So the object probably exists, and its columns are unknown. */
  readonly isUncertain?: true;
}

/** The type of an object in sqlite_schema. DROP has the same word. */
export const schemaTypeOf = (kind: SchemaObjectKind): string => (kind === 'virtual' ? 'table' : kind);

const cachedNames = new WeakMap<SchemaObject, ReadonlySet<string>>();

/** The {@link mentionedNames} of an object's statement, cached because objects live long. */
export function namesIn(object: SchemaObject): ReadonlySet<string> {
  const names = cachedNames.get(object) ?? mentionedNames(object.sql);
  cachedNames.set(object, names);
  return names;
}
