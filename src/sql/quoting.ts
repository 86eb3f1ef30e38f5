/** An identifier as SQL text. Always quoted, so that no name can be read as anything else. */
export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
