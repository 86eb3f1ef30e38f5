import type { BuiltInFunction } from '../functions/builtInFunctions.ts';
import type { Visited } from '../parser/walk.ts';
import type { Schema } from '../schema/schema.ts';
import type { Scope } from '../scope/scope.ts';
import type { SchemaColumn, SchemaTable } from '../tables/schemaTable.ts';
import { keyOf } from '../text/names.ts';
import { quoteIdentifierIfNeeded, quoteLike } from '../text/quoting.ts';
import type { TextEdit } from '../text/statementIndex.ts';
import { marker, type CursorContext } from './cursorContext.ts';
import { inCase, type LetterCases } from './letterCase.ts';
import { escapedForSnippet } from './snippets.ts';
import type { Surroundings } from './surroundings.ts';
import type { TypedWord } from './typedWord.ts';

export type ProposalKind =
  | 'column'
  | 'columnList'
  | 'expression'
  | 'join'
  | 'alias'
  | 'commonTable'
  | 'table'
  | 'view'
  | 'tableFunction'
  | 'function'
  | 'keyword'
  | 'snippet'
  | 'database'
  | 'index'
  | 'trigger'
  | 'window'
  | 'collation'
  | 'type'
  | 'module'
  | 'pragma'
  | 'pragmaValue';

/** A table of the schema, or a common table or subquery of the statement, about which less is known. */
type DescribedTable = SchemaTable | Pick<SchemaTable, 'name' | 'columns'>;

/** The thing that the documentation of a proposal describes. */
export type Subject =
  | { readonly kind: 'table'; readonly table: DescribedTable }
  | { readonly kind: 'column'; readonly column: SchemaColumn; readonly table: SchemaTable | undefined }
  | { readonly kind: 'function'; readonly function: BuiltInFunction };

export interface Proposal {
  readonly label: string;
  readonly kind: ProposalKind;
  /** The text that replaces the typed word: the label, quoted and qualified where needed. */
  readonly insert: string;
  /** Shown after the label: the type and key of a column, the parameters of a function. */
  readonly detail: string;
  /** The table or alias of a column, the table of an index. */
  readonly origin: string;
  /** {@link insert} with tab stops, in the syntax of TextMate. */
  readonly snippet?: string;
  /** A change elsewhere in the text. It does not touch the replaced range. */
  readonly addition?: TextEdit;
  readonly subject?: Subject;
}

export type ProposalParts = Partial<
  Pick<Proposal, 'detail' | 'origin' | 'insert' | 'snippet' | 'addition' | 'subject'>
> & { readonly positionInRank?: number };

type NameParts = Omit<ProposalParts, 'insert' | 'positionInRank'> & {
  readonly qualifier?: string;
  readonly tail?: string;
};

/** The likeliest proposals first. */
const ranks = {
  join: 0,
  related: 1,
  mentioned: 1.5,
  column: 2,
  alias: 3,
  outer: 4,
  unscoped: 4.5,
  function: 5,
  likelyKeyword: 6,
  keyword: 7,
  hidden: 8,
  other: 9,
} as const;

export type Rank = keyof typeof ranks;

/** Collects proposals without duplicates. Words of SQL are passed in upper case. */
export class Proposals {
  /** Whether proposals were left out, because there are too many. */
  isCut = false;
  readonly #quote: TypedWord['quote'];
  readonly #letterCases: LetterCases;
  readonly #proposals = new Map<string, { readonly proposal: Proposal; order: number }>();

  constructor(quote: TypedWord['quote'], letterCases: LetterCases) {
    this.#quote = quote;
    this.#letterCases = letterCases;
  }

  /** Adds a name. It gets the quotes that the user typed, or those that SQLite needs. The cursor stays before its `tail`. */
  addName(
    kind: ProposalKind,
    label: string,
    rank: Rank,
    { qualifier = '', tail = '', ...parts }: NameParts = {},
  ): void {
    // A common table that reads itself has the typed word among its columns.
    if (label === '' || label === marker) return;
    const prefix = qualifier === '' || this.#quote !== '' ? '' : `${quoteIdentifierIfNeeded(qualifier)}.`;
    const name = prefix + this.quoted(label);
    const withTail = tail === '' ? undefined : { snippet: `${escapedForSnippet(name)}$0${escapedForSnippet(tail)}` };
    this.#add(kind, label, ranks[rank], { ...parts, ...withTail, insert: name + tail });
  }

  /** Adds text that is inserted as it is. Between quotes it would be a name, so nothing is added there. */
  addText(kind: ProposalKind, label: string, rank: Rank, { positionInRank = 0, ...parts }: ProposalParts = {}): void {
    if (this.#quote === '') this.#add(kind, label, ranks[rank] + positionInRank / 100, parts);
  }

  /** Adds words of SQL in the case of the typed word. */
  addWords(kind: ProposalKind, words: string, rank: Rank, parts: ProposalParts = {}): void {
    this.addText(kind, this.inTypedCase(words), rank, parts);
  }

  inTypedCase(words: string): string {
    return this.#letterCases.keywords === 'upper' ? words : words.toLowerCase();
  }

  /** The case of the statement's keywords. */
  inStatementCase(words: string): string {
    return this.#letterCases.statement === 'upper' ? words : words.toLowerCase();
  }

  inFunctionCase(name: string): string {
    return inCase(name, this.#letterCases.functions);
  }

  /** Gives the rank `related` to the proposals that insert a text. Returns false if there are none. */
  promoteRelated(insert: string): boolean {
    let isFound = false;
    for (const kind of ['column', 'expression'] as const) {
      const entry = this.#proposals.get(keyOfProposal(kind, insert));
      if (!entry) continue;
      entry.order = ranks.related;
      isFound = true;
    }
    return isFound;
  }

  list(): Proposal[] {
    return [...this.#proposals.values()].toSorted((a, b) => a.order - b.order).map(({ proposal }) => proposal);
  }

  quoted(name: string): string {
    return quoteLike(name, this.#quote);
  }

  #add(kind: ProposalKind, label: string, order: number, parts: Partial<Proposal>): void {
    const proposal: Proposal = { label, kind, insert: label, detail: '', origin: '', ...parts };
    const key = keyOfProposal(kind, proposal.insert, proposal.addition);
    if (!this.#proposals.has(key)) this.#proposals.set(key, { proposal, order });
  }
}

/** A column of the same name in two tables is two proposals if choosing it adds a different FROM. Values have their case. */
const keyOfProposal = (kind: ProposalKind, insert: string, addition?: TextEdit): string =>
  `${kind}\0${kind === 'expression' ? insert : keyOf(insert)}\0${addition?.text ?? ''}`;

export interface NamesRequest {
  readonly proposals: Proposals;
  readonly context: CursorContext;
  /** The node of the typed word. */
  readonly name: Visited;
  readonly scope: Scope;
  readonly schema: Schema;
  readonly word: TypedWord;
  /** The part of the word before the cursor, without its quote. */
  readonly typed: string;
  readonly surroundings: Surroundings;
}
