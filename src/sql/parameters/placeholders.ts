import type { TextRange } from '../text/textRange.ts';
import { coarseTokens } from '../text/tokens.ts';

export interface Placeholder extends TextRange {
  /** Whether it is a plain `?`. The service does not accept `?1`, `:name`, `@name` and `$name`. */
  readonly positional: boolean;
  /** The number of its value, from 1 on, as SQLite counts. Placeholders with one name share a value. */
  readonly number: number;
}

/** `EXPLAIN QUERY PLAN CREATE VIRTUAL`. */
const maxHeadWords = 5;

/**
 * The placeholders of a statement, in order. CREATE VIRTUAL TABLE has none, because SQLite passes the text between its
 * parentheses to the module.
 */
export function placeholders(text: string): Placeholder[] {
  const marks: Placeholder[] = [];
  const headWords: string[] = [];
  const numbers = new Map<string, number>();
  let largest = 0;
  for (const { kind, start, end } of coarseTokens(text)) {
    if (kind === 'parameter') {
      const name = text.slice(start, end);
      const number = givenNumber(name) ?? numbers.get(name) ?? largest + 1;
      largest = Math.max(largest, number);
      if (name !== '?') numbers.set(name, number);
      marks.push({ start, end, positional: name === '?', number });
    }
    if (kind === 'word' && headWords.length < maxHeadWords) headWords.push(text.slice(start, end).toUpperCase());
  }
  const isVirtualTable = /^(?:EXPLAIN )?(?:QUERY PLAN )?CREATE VIRTUAL\b/.test(headWords.join(' '));
  return isVirtualTable ? [] : marks;
}

/** The number in `?12`. */
function givenNumber(name: string): number | undefined {
  const digits = /^\?0*([1-9]\d*)$/.exec(name)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
