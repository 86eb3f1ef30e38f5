import type { Token } from 'sqlite3-parser';
import { cutText } from '../../base/oneLine.ts';
import { indexOfTokenFrom } from '../parser/grammar.ts';
import { rangeOf } from '../parser/nodeRange.ts';
import type { Visited } from '../parser/walk.ts';
import { type Scope, StatementScopes } from '../scope/scope.ts';
import type { TableLookup } from '../tables/schemaTable.ts';
import type { TextRange } from '../text/textRange.ts';
import type { Lint, LintCode } from './lint.ts';

/** The most lints of one statement: further ones say nothing new. */
const maxLints = 100;

/** A program made the statement if it needs more lookups. */
const maxTableLookups = 20_000;

/** Enough tokens for `EXPLAIN QUERY PLAN CREATE UNIQUE INDEX IF NOT EXISTS temp`, the beginning of `temp.name`. */
const maxHeadTokens = 10;

/** The parts of a statement that the rules read, and the place where they report. */
export class LintContext {
  readonly text: string;
  readonly schema: TableLookup;
  readonly lints: Lint[] = [];
  readonly #tokens: readonly Token[];
  readonly #scopes: StatementScopes;
  #tableLookups = 0;

  constructor(text: string, tokens: readonly Token[], schema: TableLookup) {
    this.text = text;
    this.schema = {
      table: name => {
        this.#tableLookups++;
        return schema.table(name);
      },
    };
    this.#scopes = new StatementScopes(this.schema);
    this.#tokens = tokens;
  }

  add(code: LintCode, { start, end }: TextRange, message: string): void {
    if (this.lints.length < maxLints) this.lints.push({ start, end, code, message });
  }

  /**
   * The scope of a node. Undefined after too many table lookups or lints: the rules then leave the rest of the statement
   * alone.
   */
  scopeOf(visited: Visited): Scope | undefined {
    const isOver = this.#tableLookups > maxTableLookups || this.lints.length >= maxLints;
    return isOver ? undefined : this.#scopes.at(visited);
  }

  /** The range of the last of some keywords before an offset. */
  keywordBefore(offset: number, keywords: RegExp): TextRange | undefined {
    for (let index = indexOfTokenFrom(this.#tokens, offset) - 1; index >= 0; index--) {
      const token = this.#tokens[index]!;
      if (keywords.test(token.text)) return rangeOf(token);
    }
    return undefined;
  }

  /** The range of the first of some keywords at the beginning of the statement. */
  keywordAtStart(keywords: RegExp): TextRange | undefined {
    const token = this.#tokens.slice(0, maxHeadTokens).find(({ text }) => keywords.test(text));
    return token && rangeOf(token);
  }
}

const maxNameLength = 60;

export const shownName = (name: string): string => `'${cutText(name, maxNameLength)}'`;
