import type { DocumentSchema } from '../schema/documentSchema.ts';
import { statementAround } from '../text/statementAt.ts';
import type { StatementList } from '../text/statementIndex.ts';
import { completionAt, type Completion } from './completion.ts';

/** Completion in a document that is being edited. Its own DDL takes effect for the statements behind it. */
export function completionInDocument(document: StatementList, schema: DocumentSchema, offset: number): Completion {
  const { number, start, end } = statementAround(document, offset);
  const text = document.slice(start, end);
  const completion = completionAt(text, offset - start, schema.before(number));
  return {
    start: completion.start + start,
    end: completion.end + start,
    proposals: completion.proposals,
  };
}
