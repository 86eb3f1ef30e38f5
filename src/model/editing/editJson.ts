import type { EditValue } from '../../protocol/editValues.ts';
import { realLiteral } from '../../sql/text/quoting.ts';

/**
 * The rows of a save as one JSON text, which a statement reads with `json_each(?)`. SQLite reads every INTEGER, REAL, NULL and
 * text back as the same value. JSON has no BLOB: `{"hex":"00ff"}` stands for one.
 */
export type EditRow = readonly (EditValue | boolean)[];

export function jsonOfRows(rows: readonly EditRow[]): string {
  // Adding to one text takes half the time of joining texts of rows and values.
  let json = '';
  for (const row of rows) {
    json += json === '' ? '[' : ',[';
    for (const [index, value] of row.entries()) json += index === 0 ? jsonOfValue(value) : `,${jsonOfValue(value)}`;
    json += ']';
  }
  return `[${json}]`;
}

/** Puts each row on a line of its own, for people. Line breaks in what is sent would make it slower to encode. */
export const withRowsOnLines = (json: string): string =>
  json.replaceAll(/"(?:[^"\\]|\\.)*"|\],\[/g, token => (token === '],[' ? '],\n[' : token));

function jsonOfValue(value: EditValue | boolean): string {
  if (typeof value === 'boolean') return value ? '1' : '0';
  switch (value.kind) {
    case 'null':
    case 'default':
      return 'null';
    case 'integer':
      return value.text;
    case 'real':
      return realLiteral(Number(value.text));
    case 'text':
      return JSON.stringify(value.text);
    case 'blob':
      return `{"hex":"${value.hex}"}`;
  }
}

/** The expression for a value of a row in the JSON. */
export function jsonExpression(rows: readonly EditRow[], index: number): string {
  const hasBlob = rows.some(row => {
    const value = row[index];
    return typeof value === 'object' && value.kind === 'blob';
  });
  if (!hasBlob) return `value ->> ${index}`;
  return `CASE json_type(value, '$[${index}]') WHEN 'object' THEN unhex(value ->> '$[${index}].hex') ELSE value ->> ${index} END`;
}
