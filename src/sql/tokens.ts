/** The coarsest cut of SQL text that still knows what is code and what is not: just enough to find where statements end. */
export type CoarseKind = 'space' | 'comment' | 'quoted' | 'word' | 'semicolon' | 'other';

export interface CoarseToken {
  readonly kind: CoarseKind;
  readonly start: number;
  readonly end: number;
}

const space = /[ \t\n\f\r]+/y;
const word = /[\p{ID_Start}_\u0080-\uffff][\p{ID_Continue}$\u0080-\uffff]*/uy;
const number = /\d[\p{ID_Continue}$.]*/uy;
const closers: Readonly<Record<string, string>> = { "'": "'", '"': '"', '`': '`', '[': ']' };

/** Cuts SQL as SQLite's own tokenizer does: an unclosed string or comment reaches to the end of the text. */
export function* coarseTokens(text: string, from = 0): Generator<CoarseToken> {
  let at = from;
  while (at < text.length) {
    const start = at;
    const [kind, end] = tokenAt(text, at);
    at = end;
    yield { kind, start, end };
  }
}

function tokenAt(text: string, at: number): [CoarseKind, number] {
  const first = text.charAt(at);
  if (first === ';') return ['semicolon', at + 1];
  const closer = closers[first];
  if (closer !== undefined) return ['quoted', endOfQuoted(text, at, closer)];
  if (text.startsWith('--', at)) return ['comment', endAfter(text, '\n', at)];
  if (text.startsWith('/*', at)) return ['comment', endAfter(text, '*/', at + 2)];
  return (
    matchAt(space, 'space', text, at) ??
    matchAt(word, 'word', text, at) ??
    matchAt(number, 'other', text, at) ?? ['other', at + (text.codePointAt(at)! > 0xffff ? 2 : 1)]
  );
}

function matchAt(pattern: RegExp, kind: CoarseKind, text: string, at: number): [CoarseKind, number] | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? [kind, pattern.lastIndex] : undefined;
}

function endAfter(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from);
  return found === -1 ? text.length : found + mark.length;
}

/** A doubled quote stands for itself, except that `[…]` has no such escape. */
function endOfQuoted(text: string, at: number, closer: string): number {
  for (let end = text.indexOf(closer, at + 1); end !== -1; end = text.indexOf(closer, end + 2)) {
    if (closer === ']' || text.charAt(end + 1) !== closer) return end + 1;
  }
  return text.length;
}
