/** What names are found by: SQLite takes ASCII letters in any case, and only those. */
export function keyOf(name: string): string {
  const lower = name.toLowerCase();
  return /^[\0-\x7f]*$/.test(lower) ? lower : name.replaceAll(/[A-Z]+/g, letters => letters.toLowerCase());
}

export const isSameName = (one: string, other: string): boolean => keyOf(one) === keyOf(other);
