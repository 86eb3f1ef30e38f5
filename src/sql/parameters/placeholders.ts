import type { TextRange } from '../text/textRange.ts';
import { coarseTokens } from '../text/tokens.ts';

export interface Placeholder extends TextRange {
  /** Whether it is a plain `?`. The service does not accept `?1`, `:name`, `@name` and `$name`. */
  readonly positional: boolean;
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
  for (const { kind, start, end } of coarseTokens(text)) {
    if (kind === 'parameter') marks.push({ start, end, positional: end - start === 1 });
    if (kind === 'word' && headWords.length < maxHeadWords) headWords.push(text.slice(start, end).toUpperCase());
  }
  const isVirtualTable = /^(?:EXPLAIN )?(?:QUERY PLAN )?CREATE VIRTUAL\b/.test(headWords.join(' '));
  return isVirtualTable ? [] : marks;
}
