import { quoteIdentifier, quoteIdentifierIfNeeded } from '../text/quoting.ts';
import { marker } from './place.ts';
import type { TypedWord } from './word.ts';

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
  /** What is put in place of the typed word: the label, quoted and qualified where it has to be. */
  readonly insert: string;
  /** The table of a column, the type of one, the way a function is called. */
  readonly detail: string;
}

/** What is likely to be meant, most likely first. */
export const ranks = {
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

/** Gathers what may stand at a place, each once. */
export class Proposals {
  readonly #quote: TypedWord['quote'];
  readonly #found = new Map<string, Proposal & { readonly rank: number }>();

  constructor(quote: TypedWord['quote']) {
    this.#quote = quote;
  }

  /** A name, which is quoted as the user began to, or where SQLite needs it. */
  name(kind: ProposalKind, label: string, rank: Rank, { detail = '', qualifier = '' } = {}): void {
    // A table that is made of itself has the typed word among its columns.
    if (label === '' || label === marker) return;
    const prefix = qualifier === '' || this.#quote !== '' ? '' : `${quoteIdentifierIfNeeded(qualifier)}.`;
    this.#add({ kind, label, detail, insert: prefix + this.#quoted(label) }, rank);
  }

  /** Something that is put in as it is. Within quotes it would be a name, which it is not. */
  text(kind: ProposalKind, label: string, rank: Rank, detail = '', order = 0): void {
    if (this.#quote === '') this.#add({ kind, label, detail, insert: label }, rank, order);
  }

  list(): Proposal[] {
    return [...this.#found.values()]
      .toSorted((one, other) => one.rank - other.rank)
      .map(({ label, kind, insert, detail }) => ({ label, kind, insert, detail }));
  }

  /** `order` is the place, from 0 to 99, among those of the same rank. */
  #add(proposal: Proposal, rank: Rank, order = 0): void {
    const key = `${proposal.kind}\0${proposal.insert.toLowerCase()}`;
    if (!this.#found.has(key)) this.#found.set(key, { ...proposal, rank: ranks[rank] + order / 100 });
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
        // A bracket cannot be written within brackets.
        return name.includes(']') ? quoteIdentifier(name) : `[${name}]`;
    }
  }
}
