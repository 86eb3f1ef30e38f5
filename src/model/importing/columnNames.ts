import { keyOf } from '../../sql/text/names.ts';

/** Names for the columns of a file, each of its own. A column without a name gets one, and a second `a` becomes `a:1`. */
export function columnNames(header: readonly string[]): string[] {
  const taken = new Set<string>();
  return header.map((text, index) => {
    const name = text.trim() === '' ? numberedName(index) : text.trim();
    let free = name;
    for (let nth = 1; taken.has(keyOf(free)); nth++) free = `${name}:${nth}`;
    taken.add(keyOf(free));
    return free;
  });
}

/** The name of a column in a file without a header. */
export const numberedName = (index: number): string => `column${index + 1}`;
