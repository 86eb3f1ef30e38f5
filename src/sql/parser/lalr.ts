import type { TokenId } from 'sqlite3-parser';
import { sqlite } from './grammar.ts';

/**
 * Lemon's driver over SQLite's tables (https://sqlite.org/src/file/tool/lempar.c), without values: it says what the grammar
 * takes next, and can be asked so any number of times from the same point.
 */

export type Outcome = 'shift' | 'accept' | 'error';

const { constants, tables } = sqlite.parserDefs;
const { YY_MAX_SHIFT, YY_MAX_SHIFTREDUCE, YY_MIN_SHIFTREDUCE, YY_MIN_REDUCE, YY_ACCEPT_ACTION } = constants;
const lookaheads: readonly number[] = tables.yy_lookahead;
const fallbacks: readonly number[] = tables.yyFallback ?? [];
const leftSides: readonly number[] = tables.yyRuleInfoLhs;

function actionOf(state: number, token: number): number {
  if (state > YY_MAX_SHIFT) return state;
  const offset = tables.yy_shift_ofst[state]!;
  for (let terminal = token; ; terminal = fallbacks[terminal]!) {
    if (lookaheads[offset + terminal] === terminal) return tables.yy_action[offset + terminal]!;
    if (fallbacks[terminal]) continue;
    const wildcard = offset + constants.YYWILDCARD;
    if (terminal > 0 && wildcard >= 0 && lookaheads[wildcard] === constants.YYWILDCARD)
      return tables.yy_action[wildcard]!;
    return tables.yy_default[state]!;
  }
}

function gotoOf(state: number, symbol: number): number {
  if (state > constants.YY_REDUCE_COUNT) return tables.yy_default[state]!;
  const index = tables.yy_reduce_ofst[state]! + symbol;
  return lookaheads[index] === symbol ? tables.yy_action[index]! : tables.yy_default[state]!;
}

interface Frame {
  readonly state: number;
  readonly below: Frame | undefined;
}

/** The parser's states, as a list whose lower part forks share: a fork costs nothing, however deep the stack is. */
export class LalrStack {
  #top: Frame;

  private constructor(top: Frame) {
    this.#top = top;
  }

  static atStart(): LalrStack {
    return new LalrStack({ state: 0, below: undefined });
  }

  /** The same states, going their own way from here. */
  fork(): LalrStack {
    return new LalrStack(this.#top);
  }

  /** Takes a token in. After an error the stack is of no more use: what had to be reduced to see it was reduced. */
  feed(token: TokenId): Outcome {
    for (;;) {
      const action = actionOf(this.#top.state, token);
      if (action >= YY_MIN_REDUCE) {
        this.#reduce(action - YY_MIN_REDUCE);
      } else if (action <= YY_MAX_SHIFTREDUCE) {
        const state = action > YY_MAX_SHIFT ? action + YY_MIN_REDUCE - YY_MIN_SHIFTREDUCE : action;
        this.#top = { state, below: this.#top };
        return 'shift';
      } else {
        return action === YY_ACCEPT_ACTION ? 'accept' : 'error';
      }
    }
  }

  /** Whether a token could come next as the keyword that it is, not as the name that SQLite also lets it be. */
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
    for (let length = tables.yyRuleInfoNRhs[rule]!; length > 0; length--) below = below.below!;
    this.#top = { state: gotoOf(below.state, leftSides[rule]!), below };
  }
}
