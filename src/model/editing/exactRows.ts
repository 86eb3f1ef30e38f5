import { bytesOf } from '../../sql/text/byteLength.ts';
import { asCount, asNumber, isTrue } from '../../base/decode.ts';
import { misuse, refuseAnswer } from '../../base/errors.ts';
import type { Project } from '../../client/index.ts';
import type { StoredValue } from '../../protocol/editValues.ts';
import { quoteIdentifierIfNeeded } from '../../sql/text/quoting.ts';
import { tagValue, textOf } from '../../protocol/shownValues.ts';
import { isBlobType, type Row, type SqlValue } from '../../wire/values.ts';
import { type EditableTable, tableSql } from '../catalog/editableTable.ts';
import { allOf, columnSql, EditCte, matchValue } from './editCte.ts';
import type { CutValue, DeletedRow, NamedValue, UpdatedRow } from './pendingEdits.ts';
import { valuesBefore } from './saveOrder.ts';

/** Each column gives up to three columns of the answer, of which Durable Objects allow 100. */
const maxColumnsPerRead = 30;
/** How many characters or bytes of a long value are read, to show it and to compare it. */
const startLength = 60;

interface WantedValue extends NamedValue {
  /** The service sends this value as the same text: a BLOB is base64 in its answers, whatever the type of the column. */
  readonly alternative?: StoredValue | undefined;
}

/** A row of the table with its values as they are stored. */
export interface ExactRow {
  readonly key: readonly StoredValue[];
  readonly values: readonly NamedValue[];
  readonly long: readonly CutValue[];
}

interface ExactRowsRequest {
  readonly table: EditableTable;
  /**
   * The values that find each row: its key, its row id, all its values, or row id and values. All rows name the same columns.
   */
  readonly requestedRows: readonly (readonly WantedValue[])[];
  readonly columns: readonly string[];
  /** Values of more bytes are left out, unless they are of a column in `whole`. */
  readonly maxBytes?: number | undefined;
  readonly whole?: readonly string[];
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads rows with the storage class of each value, which the rows of the grid lack: they have a BLOB as base64 text. A missing
 * row is undefined. Requests with the same values get different rows. Rejects if a row with other values looks the same in
 * the grid.
 */
export async function readExactRows(
  project: Pick<Project, 'query'>,
  request: ExactRowsRequest,
): Promise<(ExactRow | undefined)[]> {
  const { table, columns } = request;
  const rows = await readPart(project, request, columns.slice(0, maxColumnsPerRead));
  const places = [...rows.keys()].filter(place => rows[place]);
  const requestedRows = places.map(place => [
    ...namedKeyOf(table, rows[place]!.key),
    // By now, another row may have the row id.
    ...(table.identity.kind === 'rowId' ? request.requestedRows[place]! : []),
  ]);
  for (let start = maxColumnsPerRead; places.length > 0 && start < columns.length; start += maxColumnsPerRead) {
    const names = columns.slice(start, start + maxColumnsPerRead);
    const part = await readPart(project, { ...request, requestedRows }, names);
    for (const [index, place] of places.entries()) {
      const row = rows[place];
      const more = part[index];
      if (!row || !more) rows[place] = undefined;
      else rows[place] = { key: row.key, values: [...row.values, ...more.values], long: [...row.long, ...more.long] };
    }
  }
  return rows;
}

/** Reads the rows with these keys. */
export const readRowsByKey = (
  project: Pick<Project, 'query'>,
  keys: readonly (readonly StoredValue[])[],
  request: Omit<ExactRowsRequest, 'requestedRows'>,
): Promise<(ExactRow | undefined)[]> =>
  readExactRows(project, { ...request, requestedRows: keys.map(key => namedKeyOf(request.table, key)) });

export const namedKeyOf = ({ identity }: EditableTable, key: readonly StoredValue[]): NamedValue[] =>
  identity.columns.map(({ name }, index) => ({ column: name, value: key[index]! }));

/** The values by which a row with edits is found. With its row id alone, another row could be found. */
export function wantedOfEdited(table: EditableTable, row: UpdatedRow | DeletedRow): NamedValue[] {
  const valueOf = valuesBefore(table)(row);
  const values = table.columns.map(({ name }) => ({ column: name, value: valueOf(name) }));
  const seen = table.identity.kind === 'key' ? [] : values.filter(({ value }) => value !== undefined);
  return [...namedKeyOf(table, row.key), ...(seen as readonly NamedValue[])];
}

/** The values of a row of the grid that find it in the table. */
export function wantedOf(table: EditableTable, row: Row): WantedValue[] {
  const { identity, columns } = table;
  const names = identity.kind === 'key' ? identity.columns.map(({ name }) => name) : columns.map(({ name }) => name);
  return names.map(name => {
    const type = columns.find(column => column.name === name)?.type ?? '';
    return wantedValue(name, Object.hasOwn(row, name) ? row[name] : null, type);
  });
}

/** The values that a cell may have, judged by the answer of the service. The likelier one is `value`. */
function wantedValue(column: string, value: SqlValue | undefined, type: string): WantedValue {
  const tagged = tagValue(value);
  switch (tagged.kind) {
    case 'null':
      return { column, value: { kind: 'null' } };
    case 'boolean':
      return { column, value: { kind: 'integer', text: tagged.value ? '1' : '0' } };
    case 'integer':
    case 'real':
      return { column, value: { kind: tagged.kind, text: tagged.text } };
    case 'text':
    case 'json': {
      const text: StoredValue = { kind: 'text', text: textOf(tagged) };
      const blob = tagged.kind === 'text' ? blobOf(tagged.text) : undefined;
      return blob && isBlobType(type)
        ? { column, value: blob, alternative: text }
        : { column, value: text, alternative: blob };
    }
  }
}

/** The BLOB that the service sends as this text. */
function blobOf(text: string): StoredValue | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? { kind: 'blob', hex: bytes.toString('hex') } : undefined;
}

async function readPart(
  project: Pick<Project, 'query'>,
  request: ExactRowsRequest,
  columns: readonly string[],
): Promise<(ExactRow | undefined)[]> {
  const { table, requestedRows, signal } = request;
  const { sql, json } = exactRowsStatement(request, columns);
  const identity = table.identity.columns;
  const read = await project.query(sql, [json], {
    decode: row => {
      const key = keyIn(table, row);
      const values: NamedValue[] = [];
      const long: CutValue[] = [];
      for (const [index, column] of columns.entries()) {
        const place = identity.length + index;
        const value = readStored(row[`kind${place}`], row[`value${place}`]);
        const bytes = asCount(row[`bytes${place}`]);
        if (bytes === undefined) values.push({ column, value });
        else long.push({ column, bytes, start: comparableStart(value) });
      }
      const place = asNumber(row['place']) ?? refuseRow();
      if (isTrue(row['alike']) || row['alike'] === 1) throw rowsAlike();
      return { place, key, values, long };
    },
    isReadOnly: true,
    signal,
  });
  const found = Map.groupBy(read, ({ place }) => place);
  const taken = new Set<string>();
  return requestedRows.map((_row, place) => {
    const free = found.get(place)?.find(({ key }) => !taken.has(JSON.stringify(key)));
    if (free) taken.add(JSON.stringify(free.key));
    return free;
  });
}

/** Invalid UTF-8 arrives as a replacement character, which equals no stored text. So a text is cut before the first one. */
const comparableStart = (value: StoredValue): StoredValue =>
  value.kind === 'text' ? { kind: 'text', text: value.text.split('\uFFFD', 1)[0]! } : value;

function exactRowsStatement(
  { table, requestedRows, maxBytes, whole = [] }: ExactRowsRequest,
  columns: readonly string[],
): { readonly sql: string; readonly json: string } {
  const names = requestedRows[0]?.map(({ column }) => column) ?? [];
  // Columns in which a text could also be a BLOB.
  const ambiguous = [...names.keys()].filter(index => requestedRows.some(row => row[index]!.alternative));
  const edit = new EditCte('place');
  const values = names.map((_name, index) => edit.add(`key${index + 1}`, row => requestedRows[row]![index]!.value));
  const others = new Map(
    ambiguous.map(index => [
      index,
      // A comparison with NULL is never true.
      edit.add(`other${index + 1}`, row => requestedRows[row]![index]!.alternative ?? { kind: 'null' }),
    ]),
  );
  const isByKey = names.every((name, index) => name === table.identity.columns[index]?.name);
  const name = tableSql(table.name);
  const matches = (alias: string): string =>
    allOf(
      names.map((column, index) => {
        const expression = columnSql(column, alias);
        const { collation } = table.identity.columns.find(key => key.name === column) ?? {};
        const match = matchValue(expression, values[index]!, collation).join(' AND ');
        const other = others.get(index);
        return other === undefined ? match : `(${match} OR ${expression} = ${other} COLLATE BINARY)`;
      }),
    );
  const kindsOf = (alias: string): string =>
    ambiguous.map(index => `typeof(${columnSql(names[index]!, alias)})`).join(` || ',' || `);
  const alike = `EXISTS (SELECT 1 FROM ${name} AS other WHERE ${matches('other')} AND ${kindsOf('other')} <> ${kindsOf('target')}) AS alike`;
  const rowId = quoteIdentifierIfNeeded(table.identity.columns[0]!.name);
  // Equal rows have the same values, so any of them fits. There may be very many of them.
  const condition = isByKey
    ? matches('target')
    : `target.${rowId} IN (SELECT candidate.${rowId} FROM ${name} AS candidate WHERE ${matches('candidate')} LIMIT ${requestedRows.length})`;
  const read = [...table.identity.columns.map(column => column.name), ...columns].flatMap((column, index) => {
    const expression = columnSql(column);
    const [kind, value] = storedPair(expression);
    const isCut = maxBytes !== undefined && index >= table.identity.columns.length && !whole.includes(column);
    if (!isCut) return [`${kind} AS kind${index}`, `${value} AS value${index}`];
    const bytes = bytesOf(expression);
    const isLong = `${bytes} > ${maxBytes}`;
    const [, start] = storedPair(`substr(${expression}, 1, ${startLength})`);
    return [
      `${kind} AS kind${index}`,
      `CASE WHEN ${isLong} THEN ${start} ELSE ${value} END AS value${index}`,
      `CASE WHEN ${isLong} THEN ${bytes} END AS bytes${index}`,
    ];
  });
  const { cte, json } = edit.build(requestedRows.length);
  const sql = [
    cte,
    `SELECT ${['edit.place AS place', ...read, ...(ambiguous.length > 0 ? [alike] : [])].join(', ')}`,
    `FROM edit CROSS JOIN ${name} AS target`,
    `WHERE ${condition}`,
  ].join('\n');
  return { sql, json };
}

/** Reads the pair of columns that {@link storedPair} makes. */
export function readStored(kind: SqlValue | undefined, value: SqlValue | undefined): StoredValue {
  switch (kind) {
    case 'null':
      return { kind };
    case 'integer':
    case 'real':
    case 'text':
      return { kind, text: textOf(tagValue(value)) };
    case 'blob':
      return { kind, hex: textOf(tagValue(value)).toLowerCase() };
    default:
      return refuseRow();
  }
}

export const keyIn = ({ identity }: EditableTable, row: Row): StoredValue[] =>
  identity.columns.map((_column, index) => readStored(row[`kind${index}`], row[`value${index}`]));

/** The columns from which {@link keyIn} reads a key, by the expressions of its values. */
export const keySelection = (expressions: readonly string[]): string[] =>
  expressions.flatMap((expression, index) => {
    const [kind, value] = storedPair(expression);
    return [`${kind} AS kind${index}`, `${value} AS value${index}`];
  });

/** Two columns for a value: its storage class, and the value itself, in hex if it is a BLOB. */
const storedPair = (expression: string): readonly [kind: string, value: string] => [
  `typeof(${expression})`,
  `CASE typeof(${expression}) WHEN 'blob' THEN hex(${expression}) ELSE ${expression} END`,
];

export async function readExpression(project: Pick<Project, 'query'>, expression: string): Promise<StoredValue> {
  const [kind, stored] = storedPair('value');
  const sql = `SELECT ${kind} AS kind, ${stored} AS value FROM (SELECT (${expression}) AS value)`;
  const [value] = await project.query(sql, [], {
    decode: row => readStored(row['kind'], row['value']),
  });
  return value ?? { kind: 'null' };
}

/** The rows look the same, so an edit could be of either. */
const rowsAlike = (): Error =>
  misuse(
    'rows_alike',
    'Another row looks the same, but has a BLOB where this one has a text. Change them with a statement.',
  );

export const refuseRow = (): never => refuseAnswer('The answer of the service has no valid row.');
