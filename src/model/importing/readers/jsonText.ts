/** Ways through JSON as a text. They check nothing: `JSON.parse` does. */

/** The index after the string whose opening quote is at `from`, or -1 if the string is cut off. */
function pastString(text: string, from: number): number {
  for (let at = from + 1; ;) {
    const found = text.indexOf('"', at);
    if (found === -1) return -1;
    let backslashes = 0;
    while (text[found - backslashes - 1] === '\\') backslashes++;
    if (backslashes % 2 === 0) return found + 1;
    at = found + 1;
  }
}

const structure = /["{}[\]]/g;

/** The index after the object or array that begins at `from`, or -1 if it is cut off. */
function pastNested(text: string, from: number): number {
  let depth = 0;
  structure.lastIndex = from;
  for (let found = structure.exec(text); found; found = structure.exec(text)) {
    const mark = found[0];
    if (mark === '"') {
      const end = pastString(text, found.index);
      if (end === -1) return -1;
      structure.lastIndex = end;
    } else if (mark === '{' || mark === '[') {
      depth++;
    } else if (--depth <= 0) {
      return found.index + 1;
    }
  }
  return -1;
}

const wordEnd = /[\s,\]}]/g;

/** The index after a number or word, or -1 if the text ends with it: more of it may follow. */
function pastWord(text: string, from: number): number {
  wordEnd.lastIndex = from;
  return wordEnd.exec(text)?.index ?? -1;
}

const nonBlank = /[^ \t\r\n]/g;

/** The index of the next character other than a blank, or the end of the text. */
export function pastBlanks(text: string, from: number): number {
  nonBlank.lastIndex = from;
  return nonBlank.exec(text)?.index ?? text.length;
}

/** The index after any value, or -1 if the value is cut off. */
export function pastValue(text: string, from: number): number {
  const first = text[from];
  if (first === '"') return pastString(text, from);
  return first === '{' || first === '[' ? pastNested(text, from) : pastWord(text, from);
}

/** The members of an object in valid JSON, with their values as they are spelled. */
export function* membersOf(text: string): Generator<readonly [name: string, value: string]> {
  let at = pastBlanks(text, text.indexOf('{') + 1);
  while (text[at] === '"') {
    const nameEnd = pastString(text, at);
    const name = stringOf(text.slice(at, nameEnd));
    const start = pastBlanks(text, pastBlanks(text, nameEnd) + 1);
    const end = pastValue(text, start);
    yield [name, text.slice(start, end)];
    const next = pastBlanks(text, end);
    at = text[next] === ',' ? pastBlanks(text, next + 1) : next;
  }
}

/** The value of a string of JSON. */
export const stringOf = (text: string): string =>
  text.includes('\\') ? (JSON.parse(text) as string) : text.slice(1, -1);
