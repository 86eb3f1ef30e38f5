import { quoteIdentifier, quoteIdentifierIfNeeded } from '../text/quoting.ts';
import { marker } from './cursorContext.ts';
import type { TypedWord } from './typedWord.ts';

export type ProposalKind =
  | 'column'
  | 'join'
  | 'alias'
  | 'commonTable'
  | 'table'
  | 'view'
  | 'tableFunction'
  | 'function'
  | 'keyword'
  | 'database'
  | 'index'
  | 'trigger'
  | 'window'
  | 'collation'
  | 'type'
  | 'module'
  | 'pragma';

export interface Proposal {
  readonly label: string;
  readonly kind: ProposalKind;
  /** The text that replaces the typed word: the label, quoted and qualified where needed. */
  readonly insert: string;
  /** The table and type of a column, the table of an index, the parameters of a function. */
  readonly detail: string;
}

/** The likeliest proposals first. */
const ranks = {
  join: 0,
  related: 1,
  column: 2,
  alias: 3,
  outer: 4,
  likelyKeyword: 5,
  function: 6,
  keyword: 7,
  hidden: 8,
  other: 9,
} as const;

export type Rank = keyof typeof ranks;

/** Collects proposals without duplicates. */
export class Proposals {
  readonly #quote: TypedWord['quote'];
  readonly #proposals = new Map<string, Proposal & { readonly order: number }>();

  constructor(quote: TypedWord['quote']) {
    this.#quote = quote;
  }

  /** Adds a name. It gets the quotes that the user typed, or those that SQLite needs. */
  addName(kind: ProposalKind, label: string, rank: Rank, { detail = '', qualifier = '' } = {}): void {
    // A common table that reads itself has the typed word among its columns.
    if (label === '' || label === marker) return;
    const prefix = qualifier === '' || this.#quote !== '' ? '' : `${quoteIdentifierIfNeeded(qualifier)}.`;
    this.#add({ kind, label, detail, insert: prefix + this.#quoted(label) }, ranks[rank]);
  }

  /** Adds text that is inserted as it is. Between quotes it would be a name, so nothing is added there. */
  addText(kind: ProposalKind, label: string, rank: Rank, { detail = '', positionInRank = 0 } = {}): void {
    if (this.#quote === '') this.#add({ kind, label, detail, insert: label }, ranks[rank] + positionInRank / 100);
  }

  list(): Proposal[] {
    return [...this.#proposals.values()]
      .toSorted((a, b) => a.order - b.order)
      .map(({ label, kind, insert, detail }) => ({ label, kind, insert, detail }));
  }

  #add(proposal: Proposal, order: number): void {
    const key = `${proposal.kind}\0${proposal.insert.toLowerCase()}`;
    if (!this.#proposals.has(key)) this.#proposals.set(key, { ...proposal, order });
  }

  #quoted(name: string): string {
    switch (this.#quote) {
      case '':
        return quoteIdentifierIfNeeded(name);
      case '"':
        return quoteIdentifier(name);
      case '`':
        return `\`${name.replaceAll('`', '``')}\``;
      case '[':
        // SQLite has no way to write a closing bracket between brackets.
        return name.includes(']') ? quoteIdentifier(name) : `[${name}]`;
    }
  }
}
