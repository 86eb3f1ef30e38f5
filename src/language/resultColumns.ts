import { answerCalls, type ResultColumns, serverCalls } from '../protocol/languageBridge.ts';
import { columnKeyOf, type ColumnKeyRole, type ReferenceRole } from '../sql/scope/foreignKeys.ts';
import type { ResultColumn, ShadowReport } from '../sql/shadow/shadowReport.ts';
import { isSameName, keyOf } from '../sql/text/names.ts';
import type { Feature } from './feature.ts';
import { provenIndexes } from './provenIndexes.ts';
import type { PlaceInSql } from './servedDocuments.ts';

/** The host shows fewer columns. */
const maxColumns = 100;

/** Tells the host the columns of a statement before it runs, and the indexes that would help it. */
export const resultColumns: Feature = {
  capabilities: {},
  listen({ connection, documents, schemas }) {
    answerCalls(connection, serverCalls, {
      provenIndexes: async request => (await provenIndexes(request, schemas)) ?? null,
      resultColumns: async ({ uri, position }) => {
        // The host sends this request again when the schema has changed, so the new schema must be here.
        await documents.waitForProject(uri);
        const place = await documents.placeAt({ textDocument: { uri }, position });
        return place ? columnsAt(place) : null;
      },
    });
  },
};

async function columnsAt({ document, offset }: PlaceInSql): Promise<ResultColumns | null> {
  const { statements } = document;
  const number = statements.firstEndingAfter(offset);
  const textOf = (): string => {
    const statement = statements.at(number);
    return statement ? statements.slice(statement.start, statement.end) : '';
  };
  const text = textOf();
  const report = await document.report(number);
  // The document may have changed in the meantime. Then the number may be that of another statement.
  if (report?.outcome !== 'prepared' || report.columns.length === 0 || textOf() !== text) return null;
  const schema = document.schemaBefore(number);
  const isStraight = straightColumns(text, report);
  const shown = report.columns.slice(0, maxColumns);
  const columns = shown.map(column => {
    const key = isStraight(column) ? columnKeyOf(column, schema) : undefined;
    // If the statement names a table twice, two columns of the table may come from different rows.
    const isOnce = column.table !== undefined && countOf(column.table, text) < 2;
    return describeColumn(column, key, name =>
      isOnce ? placeOf(name, column, shown.filter(isStraight), shown) : undefined,
    );
  });
  return { count: report.columns.length, columns };
}

/** Finds the columns whose values come straight from one column of a table, without a view or a compound query. */
function straightColumns(statement: string, { uses }: ShadowReport): (column: ResultColumn) => boolean {
  if (/\b(?:UNION|INTERSECT|EXCEPT)\b/i.test(statement)) return () => false;
  const through = new Set(uses.flatMap(use => (use.through === undefined ? [] : keyOf(use.name))));
  return ({ table }) => table !== undefined && !through.has(keyOf(table));
}

/** How often a statement names a table. `table.column` does not count. */
const countOf = (table: string, statement: string): number =>
  statement.match(new RegExp(`(?<!\\w)${table.replaceAll(/[^\w\s]/g, String.raw`\$&`)}(?!\\w|["\\]\`]?\\s*\\.)`, 'gi'))
    ?.length ?? 0;

/** The index of another column of the same table. Undefined unless the result has that column exactly once. */
function placeOf(
  name: string,
  { table = '' }: ResultColumn,
  straight: readonly ResultColumn[],
  all: readonly ResultColumn[],
): number | undefined {
  const found = straight.filter(
    other => isSameName(other.table ?? '', table) && other.column !== undefined && isSameName(other.column, name),
  );
  return found.length === 1 ? all.indexOf(found[0]!) : undefined;
}

/** Adds the indexes of a key's columns. Undefined if the result lacks one of several columns: such a key leads nowhere. */
function withPlaces(
  { table, column, parts }: ReferenceRole,
  placeOfColumn: (name: string) => number | undefined,
): ResultColumns['columns'][number]['references'] {
  if (!parts) return { table, column };
  const places = parts.flatMap(part => {
    const place = placeOfColumn(part.column);
    return place === undefined ? [] : [{ column: place, target: part.target }];
  });
  return places.length === parts.length ? { table, column, parts: places } : undefined;
}

function describeColumn(
  { name, declaredType }: ResultColumn,
  key: ColumnKeyRole | undefined,
  placeOfColumn: (name: string) => number | undefined,
): ResultColumns['columns'][number] {
  const { isKey = false } = key ?? {};
  const references = key?.references && withPlaces(key.references, placeOfColumn);
  return {
    name,
    type: declaredType ?? '',
    ...(isKey && { isKey: true as const }),
    ...(references && { references }),
  };
}
