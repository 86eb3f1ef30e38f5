import { columnKey, objectKey, type Occurrence, type SqlSymbol, type TableSymbol } from './symbol.ts';

/** The keys of symbols after a rename. */
interface NewKeys {
  /** The key of a symbol after the rename, by its key before. */
  readonly of: (key: string) => string;
  /** Whether another symbol already has one of the new keys. */
  readonly isTaken: (key: string) => boolean;
}

/** The rename of a table also changes the keys of its columns. Local keys do not depend on names. */
export function newKeys(symbol: SqlSymbol, newName: string): NewKeys {
  switch (symbol.kind) {
    case 'table':
      return keysOfTable(symbol, newName);
    case 'index':
    case 'trigger':
      return keysOfObject(symbol.key, objectKey(symbol.kind, newName));
    case 'column':
      if (symbol.table !== undefined) return keysOfObject(symbol.key, columnKey(symbol.table, newName));
      break;
    default:
  }
  return keysOfObject('', '');
}

const keysOfObject = (oldKey: string, newKey: string): NewKeys => ({
  of: key => (key === oldKey ? newKey : key),
  isTaken: key => key === newKey && key !== oldKey,
});

function keysOfTable({ key: oldKey, name }: TableSymbol, newName: string): NewKeys {
  const newKey = objectKey('table', newName);
  const oldColumns = columnKey(name, '');
  const newColumns = columnKey(newName, '');
  return {
    of(key) {
      if (key === oldKey) return newKey;
      return key.startsWith(oldColumns) ? newColumns + key.slice(oldColumns.length) : key;
    },
    isTaken: key => newKey !== oldKey && (key === newKey || key.startsWith(newColumns)),
  };
}

/**
 * Whether the names of a statement stand for the same things before and after a rename. No two symbols may have become one, and
 * no name may have a new meaning.
 */
export function haveSameMeaning(before: readonly Occurrence[], after: readonly Occurrence[], keys: NewKeys): boolean {
  if (before.length !== after.length) return false;
  const placesBefore = placesByOffset(before);
  const placesAfter = placesByOffset(after);
  return before.every(({ symbols }, index) => {
    const keysBefore = symbols.map(({ key }) => withPlace(key, placesBefore));
    const keysAfter = after[index]!.symbols.map(({ key }) => withPlace(key, placesAfter));
    return !keysBefore.some(keys.isTaken) && keysBefore.map(keys.of).join('\n') === keysAfter.join('\n');
  });
}

/** The index of the name that begins at each offset. Edits move names, but keep their order. */
const placesByOffset = (occurrences: readonly Occurrence[]): ReadonlyMap<number, number> =>
  new Map(occurrences.flatMap(({ start, isImplied }, place) => (isImplied ? [] : [[start, place] as const])));

/** A key with the place of a declaration instead of its offset. */
const withPlace = (key: string, places: ReadonlyMap<number, number>): string =>
  key.replace(/^(local|parameter) (\d+)/, (_whole, kind: string, offset: string) => {
    return `${kind} at ${places.get(Number(offset)) ?? offset}`;
  });
