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
  let open: { start: number; mark: string } | undefined;
  for (const { kind, start, end } of coarseTokens(text)) {
    if (open) {
      const numbered = open.mark === '?' && kind === 'other' && /^\d/.test(text.slice(start, end));
      const named = open.mark !== '?' && (kind === 'word' || /^\d/.test(text.slice(start, end)));
      if (numbered || named) found.push({ start: open.start, end, positional: false });
      else if (open.mark === '?') found.push({ start: open.start, end: open.start + 1, positional: true });
      open = undefined;
      if (numbered || named) continue;
    }
    if (kind === 'other' && '?:@$'.includes(text.charAt(start))) open = { start, mark: text.charAt(start) };
  }
  if (open?.mark === '?') found.push({ start: open.start, end: open.start + 1, positional: true });
  return found;
}
