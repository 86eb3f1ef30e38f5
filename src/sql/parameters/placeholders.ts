import { coarseTokens } from '../text/tokens.ts';

export interface Placeholder {
  readonly start: number;
  readonly end: number;
  /** `?` alone is positional. `?1`, `:name`, `@name` and `$name` are not, and the service does not take them. */
  readonly positional: boolean;
}

/**
 * The places in a statement where values are bound, in order. CREATE VIRTUAL TABLE hands what is between its parentheses to
 * its module as text, so there are none.
 */
export function placeholders(text: string): Placeholder[] {
  const found: Placeholder[] = [];
  const firstWords: string[] = [];
  for (const { kind, start, end } of coarseTokens(text)) {
    if (kind === 'parameter') found.push({ start, end, positional: end - start === 1 });
    if (kind === 'word' && firstWords.length < 5) firstWords.push(text.slice(start, end).toUpperCase());
  }
  return /^(?:EXPLAIN )?(?:QUERY PLAN )?CREATE VIRTUAL\b/.test(firstWords.join(' ')) ? [] : found;
}
