/** Names whose keys all differ. As in SQLite, a second `a` becomes `a:1`, unless `sign` is another one. */
export function distinctNames(names: readonly string[], keyOf = (name: string): string => name, sign = ':'): string[] {
  const taken = new Set<string>();
  return names.map(name => {
    let free = name;
    for (let nth = 1; taken.has(keyOf(free)); nth++) free = `${name}${sign}${nth}`;
    taken.add(keyOf(free));
    return free;
  });
}
