/** The key by which SQLite finds a name. It ignores the case of ASCII letters only: U+212A is no `k`, as it is to JavaScript. */
export function keyOf(name: string): string {
  return /^[\0-\x7f]*$/.test(name) ? name.toLowerCase() : name.replaceAll(/[A-Z]+/g, letters => letters.toLowerCase());
}

export const isSameName = (a: string, b: string): boolean => keyOf(a) === keyOf(b);
