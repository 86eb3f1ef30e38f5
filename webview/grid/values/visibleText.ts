/** A part of a text, as it is or as a mark for characters that cannot be seen or would change how others are. */
export interface TextPiece {
  readonly text: string;
  readonly mark: boolean;
}

/** Characters that break lines, move the cursor, turn the direction of writing around, or have no width. */
const unseen =
  // oxlint-disable-next-line no-control-regex -- to find them is what it is for
  /\r\n|[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f\ufeff]/gu;

const names: ReadonlyMap<string, string> = new Map([
  ['\r\n', '↵'],
  ['\n', '↵'],
  ['\r', '↵'],
  ['\u2028', '↵'],
  ['\u2029', '↵'],
  ['\t', '→'],
  ['\u007f', '␡'],
]);

/** A text in pieces that can be shown: what cannot be seen is marked. With `keepLines`, lines and tabs stay. */
export function visiblePieces(text: string, { keepLines = false } = {}): TextPiece[] {
  const pieces: TextPiece[] = [];
  let shown = 0;
  for (const { 0: found, index } of text.matchAll(unseen)) {
    if (keepLines && (found === '\n' || found === '\r\n' || found === '\t')) continue;
    if (index > shown) pieces.push({ text: text.slice(shown, index), mark: false });
    pieces.push({ text: markFor(found), mark: true });
    shown = index + found.length;
  }
  if (shown < text.length || pieces.length === 0) pieces.push({ text: text.slice(shown), mark: false });
  return pieces;
}

function markFor(found: string): string {
  const code = found.codePointAt(0) ?? 0;
  // Unicode has pictures of the first control characters.
  const picture =
    code < 0x20 ? String.fromCodePoint(0x2400 + code) : `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
  return names.get(found) ?? picture;
}
