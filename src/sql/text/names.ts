/** The key by which SQLite finds a name. It ignores the case of ASCII letters only. */
export function keyOf(name: string): string {
  const lower = name.toLowerCase();
  return /^[\0-\x7f]*$/.test(lower) ? lower : name.replaceAll(/[A-Z]+/g, letters => letters.toLowerCase());
}

export const isSameName = (a: string, b: string): boolean => keyOf(a) === keyOf(b);
