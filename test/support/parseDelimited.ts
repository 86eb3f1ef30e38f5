/** Parses CSV or TSV as RFC 4180 defines it. */
export function parseDelimited(text: string, delimiter: string): string[][] {
  const rows: string[][] = [[]];
  const cell = new RegExp(`("(?:[^"]|"")*"|[^"\\r\\n${delimiter}]*)(${delimiter}|\\r\\n|\\n|$)`, 'y');
  while (cell.lastIndex < text.length || rows.at(-1)?.length === 0) {
    const at = cell.lastIndex;
    const [, value, end] = cell.exec(text) ?? [];
    if (value === undefined) throw new Error(`This is no cell: ${text.slice(at, at + 20)}`);
    rows.at(-1)?.push(value.startsWith('"') ? value.slice(1, -1).replaceAll('""', '"') : value);
    if (end === '') break;
    if (end !== delimiter) rows.push([]);
    if (cell.lastIndex === text.length && end !== delimiter) {
      rows.pop();
      break;
    }
  }
  return rows;
}
