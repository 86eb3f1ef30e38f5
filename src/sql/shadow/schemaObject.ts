import { keyOf } from '../text/names.ts';
import { unquoted } from '../text/quoting.ts';
import { CoarseScanner } from '../text/tokens.ts';

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
  /** The object probably exists, but its columns are unknown, because SQLite does not accept the statement yet. */
  readonly isUncertain?: true;
}

/** The keyword after DROP for each kind. */
export const dropKeywords = {
  virtual: 'TABLE',
  table: 'TABLE',
  view: 'VIEW',
  index: 'INDEX',
  trigger: 'TRIGGER',
} as const;

/** The keys of everything in a text that may be a name. Strings count, since SQLite accepts them as names. */
export function mentionedNames(text: string): Set<string> {
  const names = new Set<string>();
  const scanner = new CoarseScanner(text);
  while (scanner.next()) {
    if (scanner.kind === 'word') names.add(keyOf(text.slice(scanner.start, scanner.end)));
    else if (scanner.kind === 'quoted') names.add(keyOf(unquoted(text.slice(scanner.start, scanner.end))));
  }
  return names;
}

const cachedNames = new WeakMap<SchemaObject, ReadonlySet<string>>();

/** {@link mentionedNames} of an object's statement. They are cached, because objects live long. */
export function namesIn(object: SchemaObject): ReadonlySet<string> {
  const names = cachedNames.get(object) ?? mentionedNames(object.sql);
  cachedNames.set(object, names);
  return names;
}
