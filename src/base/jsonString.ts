import { backslash, quote } from './jsonBytes.ts';

/** A native search is faster in a longer text between quotes, and slower in a shorter one. */
const shortLength = 64;

/** The index just past the string that `from` is in, or -1 if it is cut off. No backslash may be before `from`. */
export function pastString(text: string, from: number): number {
  let at = from;
  while (at < text.length) {
    const shortEnd = Math.min(at + shortLength, text.length);
    while (at < shortEnd) {
      const unit = text.charCodeAt(at);
      if (unit === quote) return at + 1;
      at += unit === backslash ? 2 : 1;
    }
    const found = text.indexOf('"', at);
    if (found === -1) return -1;
    if (!isEscaped(text, found, at)) return found + 1;
    // Search in short steps again: JSON within strings has many escaped quotes, and is read a quarter faster this way.
    at = found + 1;
  }
  return -1;
}

function isEscaped(text: string, at: number, from: number): boolean {
  let first = at;
  while (first > from && text.charCodeAt(first - 1) === backslash) first--;
  return (at - first) % 2 === 1;
}
