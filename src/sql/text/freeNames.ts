import { keyOf } from './names.ts';

/** The name with the first number after it that makes it free: `name`, `name_2`, `name_3`. */
export function freeName(name: string, taken: Iterable<string>): string {
  const keys = new Set<string>();
  for (const other of taken) keys.add(keyOf(other));
  let free = name;
  for (let number = 2; keys.has(keyOf(free)); number++) free = `${name}_${number}`;
  return free;
}
