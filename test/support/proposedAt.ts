import { completionAt, type Completion } from '../../src/sql/completion.ts';
import { Schema } from '../../src/sql/schema/schema.ts';
import { splitStatements } from '../../src/sql/splitter.ts';
import { ddl } from '../sql/corpus.ts';

export const corpusSchema = Schema.of(ddl);

/** What is proposed at the `¦` of a text, in the statement that it stands in. */
export function completeMarked(marked: string, schema = corpusSchema): Completion {
  const offset = marked.indexOf('¦');
  const text = marked.replace('¦', '');
  const before = splitStatements(text).filter(({ end, terminated }) => terminated && end <= offset);
  const start = before.at(-1)?.end ?? 0;
  const end =
    splitStatements(text).find(statement => statement.start >= start && statement.end >= offset)?.end ?? text.length;
  const {
    start: from,
    end: to,
    proposals,
  } = completionAt(text.slice(start, Math.max(end, offset)), offset - start, schema);
  return { start: from + start, end: to + start, proposals };
}

/** What a case wants and does not get, or gets and must not. */
export function missesOf(marked: string, wanted: readonly string[], wrong: readonly string[]): string[] {
  const labels = new Set(completeMarked(marked).proposals.map(({ label }) => label));
  return [
    ...wanted.filter(label => !labels.has(label)).map(label => `lacks ${label}`),
    ...wrong.filter(label => labels.has(label)).map(label => `has ${label}`),
  ];
}
