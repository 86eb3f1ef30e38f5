import type { TextRange } from '../text/textRange.ts';
import { coarseTokens } from '../text/tokens.ts';

/** The word at the cursor. It is empty where the cursor touches none. */
export interface TypedWord extends TextRange {
  readonly quote: '' | '"' | '`' | '[';
}

/** Undefined where neither a name nor a keyword can be typed: in comments, strings, numbers and parameters. */
export function wordAt(text: string, offset: number): TypedWord | undefined {
  for (const { kind, start, end } of coarseTokens(text)) {
    if (end < offset) continue;
    if (start >= offset) break;
    switch (kind) {
      case 'word':
        return { start, end, quote: '' };
      case 'comment': {
        // A line comment includes the end of its line. A block comment ends after its closing mark.
        const isInside = end > offset || text.startsWith('--', start) || !text.endsWith('*/', end);
        if (isInside) return undefined;
        break;
      }
      case 'number':
      case 'parameter':
        return undefined;
      case 'quoted':
        return quotedWordAt(text, start, end, offset);
      default:
    }
  }
  return { start: offset, end: offset, quote: '' };
}

const closingQuotes = { '"': '"', '`': '`', '[': ']' } as const;

const isNameQuote = (quote: string): quote is keyof typeof closingQuotes => Object.hasOwn(closingQuotes, quote);

function quotedWordAt(text: string, start: number, end: number, offset: number): TypedWord | undefined {
  const quote = text.charAt(start);
  if (!isNameQuote(quote)) return undefined;
  const isClosed = end > start + 1 && text.charAt(end - 1) === closingQuotes[quote];
  const isWhole = isClosed && !closesByMistake(text, offset, end);
  return { start, end: isWhole ? end : offset, quote };
}

/**
 * Whether the quote that seems to close the word opens a later name, as in `SELECT t."to| FROM "order" t`. Signs of that are
 * a line break in the name, an opening bracket within brackets, and a closing quote between a separator and a name.
 */
function closesByMistake(text: string, offset: number, end: number): boolean {
  const rest = text.slice(offset, end - 1);
  if (/\n/.test(rest)) return true;
  if (text.charAt(end - 1) === ']') return /\[/.test(rest);
  return /[^\w$\u0080-\uffff]$/.test(rest) && /[\w$\u0080-\uffff]/.test(text.charAt(end));
}
