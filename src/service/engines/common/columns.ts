import type { Column } from '../../../wire/values.ts';

/** Column names as keys of one object. Repeated names get a number, as SQLite gives them. */
export function distinctNames(names: readonly string[]): string[] {
  const usedNames = new Set<string>();
  return names.map(name => {
    let distinct = name;
    for (let n = 1; usedNames.has(distinct); n++) distinct = `${name}:${n}`;
    usedNames.add(distinct);
    return distinct;
  });
}

export function columnsOf(names: readonly string[], types: readonly (string | null | undefined)[]): Column[] {
  return names.map((name, i) => ({ name, type: types[i] ?? '' }));
}
