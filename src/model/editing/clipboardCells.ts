/** A copied cell. An empty one is null, and `""` is an empty text. */
export type ClipboardCell = string | null;

/**
 * The cells of text that was copied from a table: a row is a line, and tabs separate columns. Within quotes, tabs and line ends
 * are part of the text. A text without tabs and lines is a single cell, which is copied without quotes.
 */
export function clipboardCells(text: string): ClipboardCell[][] {
  if (text !== '' && !/[\t\r\n]/.test(text)) return [[text]];
  const rows: ClipboardCell[][] = [];
  let row: ClipboardCell[] = [];
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
  readonly value: ClipboardCell;
  /** The index of the tab or line end after it. */
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
  return { value: value === '' ? null : value, end: start + value.length };
}
