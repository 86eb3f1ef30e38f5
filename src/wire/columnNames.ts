/** Names of columns as the keys of a row. The service adds a number to repeated names: `id`, `id:1`. */
export function uniqueColumnNames(names: readonly string[]): string[] {
  const usedNames = new Set<string>();
  return names.map(name => {
    let distinct = name;
    for (let n = 1; usedNames.has(distinct); n++) distinct = `${name}:${n}`;
    usedNames.add(distinct);
    return distinct;
  });
}
