import { languageMethod, type ResultColumns, serverCalls } from '../protocol/languageBridge.ts';
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
  const columns = report.columns
    .slice(0, maxColumns)
    .map(({ name, declaredType }) => ({ name, type: declaredType ?? '' }));
  return { count: report.columns.length, columns };
}
