import type { DocumentSchema } from '../schema/documentSchema.ts';
import { statementAround } from '../text/statementAt.ts';
import type { StatementList } from '../text/statementIndex.ts';
import { completionAt, type Completion } from './completion.ts';
import type { Proposal } from './proposals.ts';
import { surroundingsOf } from './surroundings.ts';
import { mayTrigger, triggers, triggerTextLength } from './triggers.ts';

/** Completion in a document that is being edited. Its own DDL takes effect for the statements after it. */
export function completionInDocument(document: StatementList, schema: DocumentSchema, offset: number): Completion {
  const { number, start, end } = statementAround(document, offset);
  const text = document.slice(start, end);
  const completion = completionAt(text, offset - start, schema.before(number), surroundingsOf(document, number));
  return {
    ...completion,
    start: completion.start + start,
    end: completion.end + start,
    insertEnd: completion.insertEnd + start,
    proposals: completion.proposals.map(proposal => movedBy(proposal, start)),
  };
}

/** Completion after a character that was just typed. Undefined where nobody expects proposals because of it. */
export function completionAfterCharacter(
  character: string,
  document: StatementList,
  schema: DocumentSchema,
  offset: number,
): Completion | undefined {
  if (!mayTrigger(character, document.slice(Math.max(0, offset - triggerTextLength), offset))) return undefined;
  const completion = completionInDocument(document, schema, offset);
  return triggers(character, completion, offset) ? completion : undefined;
}

function movedBy(proposal: Proposal, delta: number): Proposal {
  const { addition } = proposal;
  if (!addition) return proposal;
  return { ...proposal, addition: { ...addition, start: addition.start + delta, end: addition.end + delta } };
}
