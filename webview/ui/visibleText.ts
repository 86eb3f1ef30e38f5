import { beginningOf } from '../../src/base/oneLine.ts';
import { element } from './element.ts';

/** A part of a text as it is, or a mark for an invisible character. */
interface TextPiece {
  readonly text: string;
  readonly isMark: boolean;
}

interface VisibleTextOptions {
  /** Keeps tabs and the line breaks `\n` and `\r\n`. */
  readonly keepLines?: boolean;
}

/** Characters that break lines, move the cursor, change the writing direction or have no width. */
const invisible =
  // oxlint-disable-next-line no-control-regex -- the pattern finds control characters
  /\r\n|[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f\ufeff]/gu;

const marks: ReadonlyMap<string, string> = new Map([
  ['\r\n', '↵'],
  ['\n', '↵'],
  ['\r', '↵'],
  ['\u2028', '↵'],
  ['\u2029', '↵'],
  ['\t', '→'],
  ['\u007f', '␡'],
]);

export function visiblePieces(text: string, { keepLines = false }: VisibleTextOptions = {}): TextPiece[] {
  const pieces: TextPiece[] = [];
  let end = 0;
  for (const { 0: match, index } of text.matchAll(invisible)) {
    if (keepLines && isLine(match)) continue;
    if (index > end) pieces.push({ text: text.slice(end, index), isMark: false });
    pieces.push({ text: markFor(match), isMark: true });
    end = index + match.length;
  }
  if (end < text.length || pieces.length === 0) pieces.push({ text: text.slice(end), isMark: false });
  return pieces;
}

const isLine = (match: string): boolean => match === '\n' || match === '\r\n' || match === '\t';

/** The text with marks, for labels, tooltips and sentences: names and values may have any character. */
export function visibleText(text: string, options?: VisibleTextOptions): string {
  return visiblePieces(text, options)
    .map(piece => piece.text)
    .join('');
}

/** Marks are elements of their own, so that they look different from the text. */
export function showText(parent: HTMLElement, text: string, options?: VisibleTextOptions): void {
  const pieces = visiblePieces(text, options);
  const [first] = pieces;
  if (pieces.length === 1 && first && !first.isMark) parent.textContent = first.text;
  else
    parent.replaceChildren(...pieces.map(piece => (piece.isMark ? element('span', 'mark', piece.text) : piece.text)));
}

/** The longest beginning with at most `maxMarks` marks. Each mark is an element, and a million elements freeze the page. */
export function beginningWithin(text: string, maxLength: number, maxMarks: number): string {
  const beginning = beginningOf(text, maxLength);
  let count = 0;
  for (const { 0: match, index } of beginning.matchAll(invisible)) {
    if (!isLine(match) && ++count > maxMarks) return beginning.slice(0, index);
  }
  return beginning;
}

function markFor(match: string): string {
  const code = match.codePointAt(0) ?? 0;
  // Unicode has pictures for the first control characters.
  const picture =
    code < 0x20 ? String.fromCodePoint(0x2400 + code) : `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
  return marks.get(match) ?? picture;
}
