import { backslash, DecodedText, hexValue, lowerN, lowerR, percent } from './decodedText.ts';

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/**
 * Decodes the runs of base64 or base64url in a text. Letters before the data may look like a part of it, so its first group of
 * four letters may begin at any of four places. There is one decoded text for each, with the letters before that place as
 * they are. Line breaks in a run are skipped, and shorter runs are left out. Bytes become the characters of Latin-1.
 */
export function base64Decoded(text: DecodedText, minLength: number): DecodedText[] {
  const decoded = Array.from({ length: 4 }, () => new DecodedText(text.length));
  forEachBase64Run(text, minLength, run => {
    for (const [from, into] of decoded.entries()) decodeRun(text, run, { from, into });
  });
  return decoded.filter(({ length }) => length > 0);
}

/** Calls `visit` with the places of the letters of each run. */
export function forEachBase64Run(text: DecodedText, minLength: number, visit: (letters: Uint32Array) => void): void {
  const letters = new Uint32Array(text.length);
  let count = 0;
  for (let at = 0; at <= text.length; at++) {
    const unit = at < text.length ? text.units[at]! : -1;
    if (base64Value(unit) >= 0) {
      letters[count++] = at;
    } else if (count > 0) {
      const length = lineBreakLength(text, at);
      if (length > 0) {
        at += length - 1;
      } else {
        if (count >= minLength) visit(letters.subarray(0, count));
        count = 0;
      }
    }
  }
}

/** The length of a line break, also as an escape of JSON or of a URL; 0 for anything else. */
function lineBreakLength({ units, length }: DecodedText, at: number): number {
  if (at >= length) return 0;
  const unit = units[at]!;
  if (isLineBreak(unit)) return 1;
  const next = at + 1 < length ? units[at + 1]! : -1;
  if (unit === backslash) return next === lowerN || next === lowerR ? 2 : 0;
  if (unit !== percent || at + 2 >= length) return 0;
  return isLineBreak(hexValue(next) * 16 + hexValue(units[at + 2]!)) ? 3 : 0;
}

const isLineBreak = (unit: number): boolean => unit === lineFeed || unit === carriageReturn;

function decodeRun(
  text: DecodedText,
  run: Uint32Array,
  { from, into }: { readonly from: number; readonly into: DecodedText },
): void {
  if (run.length <= from + 1) return;
  // Runs must not look adjacent.
  if (into.length > 0) into.push(betweenRuns, text.starts[run[0]!]!, text.starts[run[0]!]!);
  // The bytes may continue a base64 text that begins before them.
  for (const at of run.subarray(0, from)) into.push(text.units[at]!, text.starts[at]!, text.ends[at]!);
  for (let nth = from; nth + 1 < run.length; nth++) {
    const place = (nth - from) % 4;
    if (place === 3) continue;
    const first = run[nth]!;
    const second = run[nth + 1]!;
    const bits = (base64Value(text.units[first]!) << 6) | base64Value(text.units[second]!);
    into.push((bits >> (4 - 2 * place)) & 0xff, text.starts[first]!, text.ends[second]!);
  }
}

/** No secret contains this unit. */
const betweenRuns = 0xff_ff;

const base64Values = new Int8Array(0x80).fill(-1);
for (const letters of [
  'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
  'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_',
]) {
  for (let value = 0; value < letters.length; value++) base64Values[letters.charCodeAt(value)] = value;
}

/** -1 for anything but a letter of base64 or base64url. */
const base64Value = (unit: number): number => base64Values[unit] ?? -1;
