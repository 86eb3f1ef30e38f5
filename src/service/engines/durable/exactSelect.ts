import { sqlLiteral } from '../../../sql/text/quoting.ts';
import { columnList, unusedName } from '../common/queryText.ts';

/** The platform takes no more arguments of a function. */
const maxArguments = 32;
const columnsAtOnce = maxArguments / 2;
/** Stands between the objects of a row. JSON escapes it within texts. */
const separator = '\u001e';

/**
 * A value as JSON that loses nothing. Only a BLOB becomes an object, so `blobMark` finds it in the text of a row. SQLite
 * writes -0.0 as 0.0, and atan2() distinguishes them.
 */
const exactJson = (column: string): string =>
  `CASE typeof(${column}) WHEN 'blob' THEN json('{"$b":"'||hex(${column})||'"}')` +
  ` WHEN 'real' THEN CASE WHEN ${column} = 0 AND atan2(${column}, -1) < 0 THEN json('-0.0') ELSE ${column} END` +
  ` ELSE ${column} END`;

const blobMark = /\{"\$b":"([0-9A-F]*)"\}/g;

/** Joins the objects of each row, and writes BLOBs as base64. No text has an unescaped quote, so none looks like a BLOB. */
export function finishedJson(text: string): string {
  const json = text.includes(separator) ? text.replaceAll(`}${separator}{`, ',') : text;
  if (!json.includes('{"$b":"')) return json;
  return json.replaceAll(blobMark, (_, hex: string) => `"${Buffer.from(hex, 'hex').toString('base64')}"`);
}

/** The expression for a row as JSON. The values are in the columns `c1`, `c2` and so on. */
export function rowObject(names: readonly string[]): string {
  const pairs = names.map((name, nth) => `${sqlLiteral(name)}, ${exactJson(`c${nth + 1}`)}`);
  const objects: string[] = [];
  for (let at = 0; at < pairs.length; at += columnsAtOnce) {
    objects.push(`json_object(${pairs.slice(at, at + columnsAtOnce).join(', ')})`);
  }
  return objects.length === 0 ? "'{}'" : objects.join(`||char(${separator.charCodeAt(0)})||`);
}

/** The expression for texts with a blank between them. */
function joinExpression(texts: readonly string[]): string | undefined {
  if (texts.length <= 1) return texts[0];
  const parts: string[] = [];
  for (let at = 0; at < texts.length; at += maxArguments - 1) {
    parts.push(`concat_ws(' ', ${texts.slice(at, at + maxArguments - 1).join(', ')})`);
  }
  return joinExpression(parts);
}

/** Selects each row of a query as one text of JSON, and the storage classes of the columns `untyped`. */
export function exactSelect(query: string, names: readonly string[], untyped: readonly number[]): string {
  const name = unusedName(query);
  const types = joinExpression(untyped.map(nth => `typeof(c${nth + 1})`));
  // One column has all types: a result has at most 100 columns.
  const selected = [rowObject(names), ...(types === undefined ? [] : [types])];
  // The line break ends a comment.
  return `WITH ${name}(${columnList(names.length)}) AS (${query}\n) SELECT ${selected.join(', ')} FROM ${name}`;
}

/** For rows that are too long as one text. Selects the storage classes of each row, then each value. Integers become texts. */
export function plainSelect(query: string, width: number, from: number): string {
  const name = unusedName(query);
  const columns = Array.from({ length: width }, (_, nth) => `c${nth + 1}`);
  const types = joinExpression(columns.map(column => `typeof(${column})`)) ?? "''";
  const values = columns.map(
    column => `CASE typeof(${column}) WHEN 'integer' THEN CAST(${column} AS TEXT) ELSE ${column} END`,
  );
  return `WITH ${name}(${columnList(width)}) AS (${query}\n) SELECT ${[types, ...values].join(', ')} FROM ${name} LIMIT -1 OFFSET ${from}`;
}
