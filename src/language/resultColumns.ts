import { languageMethod, type ResultColumns, serverCalls } from '../protocol/languageBridge.ts';
import { columnKeyOf, type ColumnKeyRole } from '../sql/scope/columnKey.ts';
import type { ResultColumn, ShadowReport } from '../sql/shadow/shadowReport.ts';
import { keyOf } from '../sql/text/names.ts';
import type { Feature } from './feature.ts';
import type { PlaceInSql } from './servedDocuments.ts';

/** The host shows fewer. */
const maxColumns = 100;

/** Tells the host which columns a statement will have before it runs. */
export const resultColumns: Feature = {
  capabilities: {},
  listen({ connection, documents }) {
    connection.onRequest(languageMethod('resultColumns'), async (params: unknown): Promise<ResultColumns | null> => {
      const wanted = serverCalls.resultColumns.params(params);
      if (!wanted) return null;
      // The host asks again when the schema has changed.
      await documents.settled(wanted);
      const place = await documents.at({ textDocument: { uri: wanted.uri }, position: wanted.position });
      return place ? columnsAt(place) : null;
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
  // The document may have been edited meanwhile, and the number may be that of another statement.
  if (report?.outcome !== 'prepared' || report.columns.length === 0 || textOf() !== text) return null;
  const schema = document.schemaBefore(number);
  const isStraight = straightColumns(text, report);
  const columns = report.columns
    .slice(0, maxColumns)
    .map(column => describe(column, isStraight(column) ? columnKeyOf(column, schema) : undefined));
  return { count: report.columns.length, columns };
}

/** Finds the columns whose values all come from one column of a table, and not through a view or a compound query. */
function straightColumns(statement: string, { uses }: ShadowReport): (column: ResultColumn) => boolean {
  if (/\b(?:UNION|INTERSECT|EXCEPT)\b/i.test(statement)) return () => false;
  const through = new Set(uses.flatMap(use => (use.through === undefined ? [] : keyOf(use.name))));
  return ({ table }) => table !== undefined && !through.has(keyOf(table));
}

function describe(
  { name, declaredType }: ResultColumn,
  key: ColumnKeyRole | undefined,
): ResultColumns['columns'][number] {
  const { isKey = false, references } = key ?? {};
  return {
    name,
    type: declaredType ?? '',
    ...(isKey && { isKey: true as const }),
    ...(references && { references: { table: references.table, column: references.column ?? null } }),
  };
}
