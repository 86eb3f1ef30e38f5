import type { Visited } from '../parser/walk.ts';
import type { Schema } from '../schema/schema.ts';
import { scopeAt } from '../scope/scope.ts';
import { contextOf } from './cursorContext.ts';
import { proposeKeywords, proposeStatementKeywords } from './keywordProposals.ts';
import { proposeNames } from './nameProposals.ts';
import { Proposals, type Proposal } from './proposals.ts';
import { wordAt } from './typedWord.ts';

export interface Completion {
  /** The range that a proposal replaces. */
  readonly start: number;
  readonly end: number;
  /** The likeliest first. They are not filtered by the typed word, because editors match in their own way. */
  readonly proposals: readonly Proposal[];
}

/** Nobody writes larger statements by hand, and parsing one at each keystroke would take too long. */
const maxTextBefore = 256 * 1024;
/** A trigger whose END is still missing extends to the end of the document. Only this much behind the cursor is parsed. */
const maxTextBehind = 32 * 1024;

/**
 * Proposes names and keywords at `offset` of a text that holds one statement, or several without the semicolons between
 * them. The grammar decides which keywords fit, and the tree, repaired if need be, which names.
 */
export function completionAt(text: string, offset: number, schema: Schema): Completion {
  const none: Completion = { start: offset, end: offset, proposals: [] };
  if (offset > maxTextBefore) return none;
  const piece = text.slice(0, offset + maxTextBehind);
  const word = wordAt(piece, offset);
  if (!word) return none;
  const context = contextOf(piece, word);
  const proposals = new Proposals(word.quote);
  const { name } = context;
  if (name) proposeNames({ proposals, context, name, schema, scope: scopeAt(name, schema) });
  proposeKeywords(proposals, context, isInTrigger(name));
  if (context.startsStatement) proposeStatementKeywords(proposals);
  return { start: word.start, end: word.end, proposals: proposals.list() };
}

function isInTrigger(name: Visited | undefined): boolean {
  for (let ancestor = name; ancestor; ancestor = ancestor.parent) {
    if (ancestor.node.type === 'CreateTriggerStmt') return true;
  }
  return false;
}
