import { coarseTokens } from '../text/tokens.ts';

/** The word that is being typed; an empty one where the cursor stands free. */
export interface TypedWord {
  readonly start: number;
  readonly end: number;
  /** Its text up to the cursor, without the quote. */
  readonly prefix: string;
  readonly quote: '' | '"' | '`' | '[';
}

/** Undefined where no name or keyword can be typed: in comments, strings, numbers and parameters. */
export function wordAt(text: string, offset: number): TypedWord | undefined {
  for (const { kind, start, end } of coarseTokens(text)) {
    if (end < offset) continue;
    if (start >= offset) break;
    switch (kind) {
      case 'word':
        return { start, end, prefix: text.slice(start, offset), quote: '' };
      case 'comment':
        // The end of a line still belongs to the comment on it; behind */ it is over.
        if (end > offset || text.startsWith('--', start) || !text.endsWith('*/', end)) return undefined;
        break;
      case 'number':
      case 'parameter':
        return undefined;
      case 'quoted':
        return quotedWord(text, { start, end }, offset);
      default:
    }
  }
  return { start: offset, end: offset, prefix: '', quote: '' };
}

const closings: Readonly<Record<string, string>> = { '"': '"', '`': '`', '[': ']' };

function quotedWord(
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
  offset: number,
): TypedWord | undefined {
  const quote = text.charAt(start);
  const closing = closings[quote];
  if (closing === undefined) return undefined;
  const closed = end > start + 1 && text.charAt(end - 1) === closing;
  const inside = end > offset || !closed;
  const prefix = text.slice(start + 1, inside ? offset : end - 1);
  // A quote that nothing closes takes in all that follows, which was not meant.
  return {
    start,
    end: closed && !text.slice(offset, end).includes('\n') ? end : offset,
    prefix,
    quote: quote as TypedWord['quote'],
  };
}
