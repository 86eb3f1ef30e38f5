import type { PragmaStmt } from 'sqlite3-parser';
import { type Visited, nodeOfTypeAround } from '../parser/walk.ts';
import type { DocumentSchema } from '../schema/documentSchema.ts';
import type { Schema } from '../schema/schema.ts';
import { scopeAt } from '../scope/scope.ts';
import { keyOf } from '../text/names.ts';
import { statementAround } from '../text/statementAt.ts';
import type { StatementList } from '../text/statementIndex.ts';
import { boundedList } from './boundedList.ts';
import { proposeInsertedColumns } from './columnLists.ts';
import { contextOf } from './cursorContext.ts';
import { proposeKeywords, proposeStatementKeywords } from './keywordProposals.ts';
import { letterCasesAt } from './letterCase.ts';
import { proposeNames } from './nameProposals.ts';
import { type NamesRequest, Proposals, type Proposal } from './proposals.ts';
import { type FindLookupValues, noSurroundings, type Surroundings, surroundingsOf } from './surroundings.ts';
import { proposeIndexesOrTriggers, proposeTables } from './tableProposals.ts';
import { wordAt } from './typedWord.ts';

export interface Completion {
  /** The range that a proposal replaces. */
  readonly start: number;
  readonly end: number;
  /** The end of the range if the editor keeps the rest of the word. Quotes are always replaced together. */
  readonly insertEnd: number;
  /** The likeliest first. Only a very long list is filtered, because editors match by their own rules. */
  readonly proposals: readonly Proposal[];
  /** Whether the next letter may lead to proposals that the list lacks, or to another case of its keywords. */
  readonly isIncomplete: boolean;
  /** Whether the cursor is in a list of names, such as the columns of an INSERT, and not in an expression. */
  readonly isNameList: boolean;
}

/** Nobody writes larger statements by hand, and parsing one at each keystroke would take too long. */
const maxTextBefore = 256 * 1024;
/** A trigger whose END is still missing extends to the end of the document. Only this much after the cursor is parsed. */
const maxTextAfter = 32 * 1024;

/**
 * Proposes names and keywords at `offset` of a text with one statement, or several without semicolons between them. The
 * grammar decides which keywords fit. The tree, repaired if need be, decides which names fit.
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
  if (!pragma) proposeKeywords(proposals, context, nodeOfTypeAround(name, 'CreateTriggerStmt') !== undefined);
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

const onOrOff = ['ON', 'OFF'];

const switches = `automatic_index cache_spill case_sensitive_like cell_size_check checkpoint_fullfsync count_changes
   defer_foreign_keys empty_result_callbacks foreign_keys full_column_names fullfsync ignore_check_constraints
   legacy_alter_table legacy_file_format query_only read_uncommitted recursive_triggers reverse_unordered_selects
   short_column_names trusted_schema writable_schema`.split(/\s+/);

const valuesByName: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ...switches.map(name => [name, onOrOff] as const),
  ['auto_vacuum', ['NONE', 'FULL', 'INCREMENTAL']],
  ['encoding', ["'UTF-8'", "'UTF-16'", "'UTF-16le'", "'UTF-16be'"]],
  ['journal_mode', ['DELETE', 'TRUNCATE', 'PERSIST', 'MEMORY', 'WAL', 'OFF']],
  ['locking_mode', ['NORMAL', 'EXCLUSIVE']],
  ['secure_delete', ['ON', 'OFF', 'FAST']],
  ['synchronous', ['OFF', 'NORMAL', 'FULL', 'EXTRA']],
  ['temp_store', ['DEFAULT', 'FILE', 'MEMORY']],
  ['wal_checkpoint', ['PASSIVE', 'FULL', 'RESTART', 'TRUNCATE']],
]);

/** The PRAGMA that has a name as its value. The grammar reads the value as an expression. */
function pragmaOfValue(name: Visited): PragmaStmt | undefined {
  const body = name.parent?.node.type === 'NameExpr' ? name.parent.parent : undefined;
  const isValue = body?.node.type === 'EqualsPragmaBody' || body?.node.type === 'CallPragmaBody';
  const pragma = isValue ? body.parent?.node : undefined;
  return pragma?.type === 'PragmaStmt' ? pragma : undefined;
}

/** Proposes the words that a PRAGMA takes as its value, or the names that it takes between parentheses. */
function proposePragmaValues(request: NamesRequest, { name, body }: PragmaStmt): void {
  const { proposals, schema } = request;
  const pragma = keyOf(name.objName.text);
  const values = valuesByName.get(pragma);
  if (values) for (const value of values) proposals.addWords('pragmaValue', value, 'column');
  else if (body?.type !== 'CallPragmaBody') return;
  else if (pragma.startsWith('index_')) proposeIndexesOrTriggers(proposals, 'index', schema.indexes);
  else proposeTables(request, () => true);
}

/** Completion in a document. The DDL of the document takes effect for the statements after it. */
export function completionInDocument(
  document: StatementList,
  schema: DocumentSchema,
  offset: number,
  lookupValues?: FindLookupValues,
): Completion {
  const { number, start, end } = statementAround(document, offset);
  const text = document.slice(start, end);
  const surroundings = surroundingsOf(document, number, lookupValues);
  const completion = completionAt(text, offset - start, schema.before(number), surroundings);
  return {
    ...completion,
    start: completion.start + start,
    end: completion.end + start,
    insertEnd: completion.insertEnd + start,
    proposals: completion.proposals.map(proposal => movedBy(proposal, start)),
  };
}

/** Completion after a character that was just typed. Undefined if the character shows no proposals there. */
export function completionAfterCharacter(
  character: string,
  document: StatementList,
  schema: DocumentSchema,
  offset: number,
  lookupValues?: FindLookupValues,
): Completion | undefined {
  const textBefore = document.slice(Math.max(0, offset - triggerTextLength), offset);
  if (!mayShowProposals(character, textBefore)) return undefined;
  const completion = completionInDocument(document, schema, offset, lookupValues);
  return showsProposals(character, completion, { offset, textBefore }) ? completion : undefined;
}

function movedBy(proposal: Proposal, delta: number): Proposal {
  const { addition } = proposal;
  if (!addition) return proposal;
  return { ...proposal, addition: { ...addition, start: addition.start + delta, end: addition.end + delta } };
}

/** The characters that show the proposals when they are typed. */
export const triggerCharacters: readonly string[] = ['.', ' ', '(', '"', '`', '['];

/** A blank shows proposals only after these words. Elsewhere the user most likely types a new name or an operator. */
const blankTrigger = /\b(?:from|join|on|select|into|update) $/i;

/** After these, only the values that a column takes are shown at once. */
const valueTrigger = /(?:[=>] |\bin ?\()$/i;

/** {@link mayShowProposals} needs this many characters before the cursor. */
const triggerTextLength = 20;

/** Whether a typed character may show proposals, by the text up to it. A cheap check before completion. */
const mayShowProposals = (character: string, textBefore: string): boolean =>
  character !== ' ' || blankTrigger.test(textBefore) || valueTrigger.test(textBefore);

/** A parenthesis shows the proposals of a list of names. A quote shows those of the name that it opens. */
function showsProposals(
  character: string,
  { start, isNameList, proposals }: Completion,
  { offset, textBefore }: { readonly offset: number; readonly textBefore: string },
): boolean {
  if (valueTrigger.test(textBefore) && proposals[0]?.kind === 'expression') return true;
  if (character === '(') return isNameList;
  if (character === ' ') return blankTrigger.test(textBefore);
  return character === '.' || start === offset - 1;
}
