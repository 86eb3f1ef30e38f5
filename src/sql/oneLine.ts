/** A statement on one line, without what ends it: what it is known by in lists and titles. */
export function oneLine(statement: string): string {
  // A pattern for the end would begin anew at each blank of a long run within the statement, and take minutes for some.
  let end = statement.length;
  while (end > 0 && /[;\s]/.test(statement.charAt(end - 1))) end--;
  return statement.slice(0, end).replaceAll(/\s+/g, ' ').trim();
}
