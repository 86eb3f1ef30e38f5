import { proposeKeywords, proposeStarters } from './keywords.ts';
import { proposeNames } from './names.ts';
import { placeOf } from './place.ts';
import { Proposals, type Proposal } from './proposals.ts';
import { wordAt } from './word.ts';
import type { Schema } from '../schema/schema.ts';
import { scopeAt } from '../scope/scope.ts';
import type { Visited } from '../parser/walk.ts';

export type { Proposal, ProposalKind } from './proposals.ts';

export interface Completion {
  /** What a proposal takes the place of. */
  readonly start: number;
  readonly end: number;
  /** The likeliest first. Those that do not begin as the typed word does are not left out: editors match in their own way. */
  readonly proposals: readonly Proposal[];
}

/** A statement that is larger than any that is written by hand is not parsed with each key that is pressed. */
const longest = 256 * 1024;
/** What stands further behind is not asked. A trigger whose END is still to come takes in the rest of the document. */
const mostBehind = 32 * 1024;

/**
 * What may stand at `offset` of a text that holds one statement, or that lacks the semicolons between several. From
 * half-typed text as from whole: the grammar says which keywords it takes, the repaired tree what can be named.
 */
export function completionAt(text: string, offset: number, schema: Schema): Completion {
  const nothing = { start: offset, end: offset, proposals: [] };
  if (offset > longest) return nothing;
  const piece = text.slice(0, offset + mostBehind);
  const word = wordAt(piece, offset);
  if (!word) return nothing;
  const place = placeOf(piece, word);
  const proposals = new Proposals(word.quote);
  const { name } = place;
  if (name) proposeNames({ proposals, place, name, schema, scope: scopeAt(name, schema) });
  proposeKeywords(proposals, place, isInTrigger(name));
  if (place.startsStatement) proposeStarters(proposals);
  return { start: word.start, end: word.end, proposals: proposals.list() };
}

function isInTrigger(place: Visited | undefined): boolean {
  for (let up = place; up; up = up.parent) if (up.node.type === 'CreateTriggerStmt') return true;
  return false;
}
