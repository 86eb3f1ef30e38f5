import type { TokenId } from 'sqlite3-parser';
import { sqlite } from './grammar.ts';

/*
 * The driver of Lemon's LALR(1) parser over SQLite's tables (https://sqlite.org/src/file/tool/lempar.c), without semantic
 * values. The package's own engine builds a tree and cannot go back. This driver only follows the states, so that any point
 * of a text can be tried with many tokens.
 */

/** A token was shifted, completed the input, or does not fit the grammar. */
export type FeedResult = 'shift' | 'accept' | 'error';

const { constants, tables } = sqlite.parserDefs;
const { YY_MAX_SHIFT, YY_MAX_SHIFTREDUCE, YY_MIN_SHIFTREDUCE, YY_MIN_REDUCE, YY_ACCEPT_ACTION } = constants;
const lookaheads: readonly number[] = tables.yy_lookahead;
const fallbacks: readonly number[] = tables.yyFallback ?? [];
const leftSides: readonly number[] = tables.yyRuleInfoLhs;

/** yy_find_shift_action(): the action for a lookahead token, its fallback, or the wildcard; else the default action. */
function actionOf(state: number, token: number): number {
  // A state above YY_MAX_SHIFT is a pending reduce of a shift-reduce action. It needs no lookahead.
  if (state > YY_MAX_SHIFT) return state;
  const offset = tables.yy_shift_ofst[state]!;
  for (let terminal = token; ; terminal = fallbacks[terminal]!) {
    // The rows of all states share one table. An entry belongs to this state if its lookahead matches.
    if (lookaheads[offset + terminal] === terminal) return tables.yy_action[offset + terminal]!;
    if (fallbacks[terminal]) continue;
    const wildcard = offset + constants.YYWILDCARD;
    if (terminal > 0 && wildcard >= 0 && lookaheads[wildcard] === constants.YYWILDCARD)
      return tables.yy_action[wildcard]!;
    return tables.yy_default[state]!;
  }
}

/** yy_find_reduce_action(): the state after a reduce to `symbol`. */
function gotoOf(state: number, symbol: number): number {
  if (state > constants.YY_REDUCE_COUNT) return tables.yy_default[state]!;
  const index = tables.yy_reduce_ofst[state]! + symbol;
  return lookaheads[index] === symbol ? tables.yy_action[index]! : tables.yy_default[state]!;
}

interface StackEntry {
  readonly state: number;
  readonly below: StackEntry | undefined;
}

/** The states of the parser as an immutable linked list. Forks share it, so a fork costs nothing at any depth. */
export class LalrStack {
  #top: StackEntry;

  constructor(top: StackEntry = { state: 0, below: undefined }) {
    this.#top = top;
  }

  fork(): LalrStack {
    return new LalrStack(this.#top);
  }

  /**
   * Feeds a token. After an error the stack must not be used: default reduces happen before the parser sees that the
   * lookahead does not fit.
   */
  feed(token: TokenId): FeedResult {
    for (;;) {
      const action = actionOf(this.#top.state, token);
      if (action >= YY_MIN_REDUCE) {
        this.#reduce(action - YY_MIN_REDUCE);
      } else if (action <= YY_MAX_SHIFTREDUCE) {
        // A shift-reduce is stored as the reduce that the next call of actionOf() finds.
        const state = action > YY_MAX_SHIFT ? action + YY_MIN_REDUCE - YY_MIN_SHIFTREDUCE : action;
        this.#top = { state, below: this.#top };
        return 'shift';
      } else {
        return action === YY_ACCEPT_ACTION ? 'accept' : 'error';
      }
    }
  }

  /** Whether a token could be shifted as itself. A keyword that would be shifted by its fallback, as a name, does not count. */
  couldTake(token: TokenId): boolean {
    const next = this.fork();
    for (;;) {
      const { state } = next.#top;
      const action = actionOf(state, token);
      if (action >= YY_MIN_REDUCE) next.#reduce(action - YY_MIN_REDUCE);
      else return action <= YY_MAX_SHIFTREDUCE && lookaheads[tables.yy_shift_ofst[state]! + token] === token;
    }
  }

  #reduce(rule: number): void {
    let below = this.#top;
    // A rule pops one state for each symbol of its right side.
    for (let length = tables.yyRuleInfoNRhs[rule]!; length > 0; length--) below = below.below!;
    this.#top = { state: gotoOf(below.state, leftSides[rule]!), below };
  }
}
