/** The cells of text that was copied from a table: rows of lines, columns between tabs. Quotes hold tabs and lines together. */
export function clipboardCells(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let place = 0;
  const endRow = (): void => {
    rows.push(row);
    row = [];
  };
  while (place < text.length || row.length > 0) {
    const { value, end } = cellAt(text, place);
    row.push(value);
    if (text[end] === '\t') {
      place = end + 1;
      continue;
    }
    endRow();
    place = end + (text.startsWith('\r\n', end) ? 2 : 1);
  }
  return rows;
}

interface CellText {
  readonly value: string;
  /** Where the tab or the line end behind it is. */
  readonly end: number;
}

function cellAt(text: string, start: number): CellText {
  if (text[start] === '"') {
    const quoted = /"((?:[^"]|"")*)"(?=\t|\r?\n|$)/y;
    quoted.lastIndex = start;
    const match = quoted.exec(text);
    if (match) return { value: match[1]!.replaceAll('""', '"'), end: quoted.lastIndex };
  }
  const plain = /[^\t\r\n]*(?:\r(?!\n)[^\t\r\n]*)*/y;
  plain.lastIndex = start;
  const value = plain.exec(text)?.[0] ?? '';
  return { value, end: start + value.length };
}
