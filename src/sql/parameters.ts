import { coarseTokens } from './tokens.ts';

export interface Placeholder {
  readonly start: number;
  readonly end: number;
  /** `?` alone is positional. `?1`, `:name`, `@name` and `$name` are not, and the service does not take them. */
  readonly positional: boolean;
}

/** The places in a statement where values are bound, in order. */
export function placeholders(text: string): Placeholder[] {
  const found: Placeholder[] = [];
  for (const { kind, start, end } of coarseTokens(text)) {
    if (kind === 'parameter') found.push({ start, end, positional: end - start === 1 });
  }
  return found;
}
