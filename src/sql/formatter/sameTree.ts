import type { Stmt } from 'sqlite3-parser';

/** Whether two statements mean the same: their trees differ in nothing but the places of their tokens. */
export function isSameTree(left: Stmt, right: Stmt): boolean {
  // No recursion, because the tree of a long sum is as deep as the sum is long.
  const pending: (readonly [unknown, unknown])[] = [[left, right]];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const [a, b] = next;
    if (a === b) continue;
    if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
    const aKeys = Object.keys(a);
    if (aKeys.length !== Object.keys(b).length || Array.isArray(a) !== Array.isArray(b)) return false;
    const { type } = a as { readonly type?: unknown };
    for (const key of aKeys) {
      if (key === 'span') continue;
      const aValue = comparable(type, (a as Readonly<Record<string, unknown>>)[key]);
      pending.push([aValue, comparable(type, (b as Readonly<Record<string, unknown>>)[key])]);
    }
  }
  return true;
}

/** Some words are texts in the tree, although their case has no meaning: ON in PRAGMA … = ON, and the end of a type. */
function comparable(type: unknown, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (type === 'KeywordLiteral') return value.toUpperCase();
  return type === 'Type' ? value.replace(/ generated always$/i, '') : value;
}
