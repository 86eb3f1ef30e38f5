import type { Completion } from '../../src/sql/completion/completion.ts';
import { completionInDocument } from '../../src/sql/completion/documentCompletion.ts';
import { DocumentSchema } from '../../src/sql/schema/documentSchema.ts';
import { Schema } from '../../src/sql/schema/schema.ts';
import { StatementIndex } from '../../src/sql/text/statementIndex.ts';
import { ddl } from '../sql/corpus.ts';

export const corpusSchema = Schema.of(ddl);

/** The completion at the `¦` of a document. */
export function completeMarked(marked: string, schema = corpusSchema): Completion {
  const index = new StatementIndex(marked.replace('¦', ''));
  return completionInDocument(index, new DocumentSchema(index, schema), marked.indexOf('¦'));
}

/** The labels that are missing, and those that are proposed but wrong. */
export function mismatches(marked: string, wanted: readonly string[], wrong: readonly string[]): string[] {
  const labels = new Set(completeMarked(marked).proposals.map(({ label }) => label));
  return [
    ...wanted.filter(label => !labels.has(label)).map(label => `lacks ${label}`),
    ...wrong.filter(label => labels.has(label)).map(label => `has ${label}`),
  ];
}
