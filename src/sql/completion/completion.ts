import type { Visited } from '../parser/walk.ts';
import type { Schema } from '../schema/schema.ts';
import { scopeAt } from '../scope/scope.ts';
import { boundedList } from './boundedList.ts';
import { proposeInsertedColumns } from './columnLists.ts';
import { contextOf } from './cursorContext.ts';
import { proposeKeywords, proposeStatementKeywords } from './keywordProposals.ts';
import { letterCasesAt } from './letterCase.ts';
import { proposeNames } from './nameProposals.ts';
import { pragmaOfValue, proposePragmaValues } from './pragmaValues.ts';
import { Proposals, type Proposal } from './proposals.ts';
import { noSurroundings, type Surroundings } from './surroundings.ts';
import { wordAt } from './typedWord.ts';

export interface Completion {
  /** The range that a proposal replaces. */
  readonly start: number;
  readonly end: number;
  /** The end of the range if the rest of the word stays after the proposal. Quotes are always replaced together. */
  readonly insertEnd: number;
  /** The likeliest first. Only a very long list is filtered, because editors match in their own way. */
  readonly proposals: readonly Proposal[];
  /** Whether the next letter may lead to proposals that the list lacks, or to another case of its keywords. */
  readonly isIncomplete: boolean;
  /** Whether a list of names is typed, such as the columns of an INSERT, and no expression. */
  readonly isNameList: boolean;
}

/** Nobody writes larger statements by hand, and parsing one at each keystroke would take too long. */
const maxTextBefore = 256 * 1024;
/** A trigger whose END is still missing extends to the end of the document. Only this much after the cursor is parsed. */
const maxTextAfter = 32 * 1024;

/**
 * Proposes names and keywords at `offset` of a text that holds one statement, or several without the semicolons between
 * them. The grammar decides which keywords fit, and the tree, repaired if need be, which names.
 */
export function completionAt(
  text: string,
  offset: number,
  schema: Schema,
  surroundings: Surroundings = noSurroundings,
): Completion {
  const none: Completion = {
    start: offset,
    end: offset,
    insertEnd: offset,
    proposals: [],
    isIncomplete: false,
    isNameList: false,
  };
  if (offset > maxTextBefore) return none;
  const piece = text.slice(0, offset + maxTextAfter);
  const word = wordAt(piece, offset);
  if (!word) return none;
  const typed = piece.slice(word.start + word.quote.length, offset);
  const context = contextOf(piece, word);
  const proposals = new Proposals(word.quote, letterCasesAt(context, typed, surroundings.keywordCase));
  const { name } = context;
  const pragma = name && pragmaOfValue(name);
  if (name) {
    const request = { proposals, context, name, schema, scope: scopeAt(name, schema), word, typed, surroundings };
    if (pragma) proposePragmaValues(request, pragma);
    else proposeNames(request);
  } else proposeInsertedColumns(proposals, context, schema);
  if (!pragma) proposeKeywords(proposals, context, isInTrigger(name));
  if (context.startsStatement) proposeStatementKeywords(proposals);
  const bounded = boundedList(proposals.list(), typed);
  return {
    start: word.start,
    end: word.end,
    insertEnd: word.quote === '' ? offset : word.end,
    proposals: bounded.list,
    isIncomplete: proposals.isCut || bounded.isCut || (typed === '' && word.quote === ''),
    isNameList: pragma !== undefined || nameLists.has(name?.parent?.node.type ?? ''),
  };
}

const nameLists: ReadonlySet<string> = new Set([
  'InsertStmt',
  'InsertTriggerCmd',
  'UsingJoinConstraint',
  'IndexedColumn',
  'UpdateOfTriggerEvent',
]);

function isInTrigger(name: Visited | undefined): boolean {
  for (let ancestor = name; ancestor; ancestor = ancestor.parent) {
    if (ancestor.node.type === 'CreateTriggerStmt') return true;
  }
  return false;
}
