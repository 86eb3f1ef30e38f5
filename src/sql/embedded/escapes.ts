/** `end` is the offset after the escape, `value` the text that the escape stands for. */
interface Escape {
  readonly end: number;
  readonly value: string;
}

const scriptLetters: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  v: '\v',
  f: '\f',
  '0': '\0',
};
const pythonLetters: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
};

const lineBreak = /\r\n|[\n\r\u2028\u2029]/y;
const scriptCode = /x([\dA-Fa-f]{2})|u([\dA-Fa-f]{4})|u\{0{0,8}([\dA-Fa-f]{1,6})\}/y;
const pythonCode = /x([\dA-Fa-f]{2})|u([\dA-Fa-f]{4})|U([\dA-Fa-f]{8})|([0-7]{1,3})/y;
/** The character stays unknown: a table of all names is large, and SQL has no use for it. */
const pythonName = /N\{[\w -]{1,100}\}/y;

export function scriptEscape(file: string, backslash: number): Escape {
  return (
    lineBreakAt(file, backslash + 1) ??
    codeAt(scriptCode, file, backslash + 1) ??
    letterAt(scriptLetters, file, backslash + 1) ?? {
      end: Math.min(backslash + 2, file.length),
      value: file.charAt(backslash + 1),
    }
  );
}

/** A backslash that begins no escape of Python stands for itself. */
export function pythonEscape(file: string, backslash: number): Escape {
  const start = backslash + 1;
  const code = lineBreakAt(file, start) ?? codeAt(pythonCode, file, start) ?? letterAt(pythonLetters, file, start);
  if (code) return code;
  const name = matchAt(pythonName, file, start);
  return name ? { end: start + name[0].length, value: unknownCharacter } : { end: start, value: '\\' };
}

const unknownCharacter = '\ufffd';

function matchAt(pattern: RegExp, file: string, start: number): RegExpExecArray | null {
  pattern.lastIndex = start;
  return pattern.exec(file);
}

function lineBreakAt(file: string, start: number): Escape | undefined {
  const match = matchAt(lineBreak, file, start);
  return match ? { end: start + match[0].length, value: '' } : undefined;
}

function letterAt(letters: Readonly<Record<string, string>>, file: string, start: number): Escape | undefined {
  const letter = file.charAt(start);
  const value = Object.hasOwn(letters, letter) ? letters[letter] : undefined;
  return value === undefined ? undefined : { end: start + 1, value: withoutNul(value) };
}

function codeAt(pattern: RegExp, file: string, start: number): Escape | undefined {
  const match = matchAt(pattern, file, start);
  if (!match) return undefined;
  const [text, ...groups] = match;
  const octal = pattern === pythonCode ? groups[3] : undefined;
  const code = octal === undefined ? Number.parseInt(groups.find(Boolean) ?? '', 16) : Number.parseInt(octal, 8);
  const value = code <= 0x10ffff ? String.fromCodePoint(code) : unknownCharacter;
  return { end: start + text.length, value: withoutNul(value) };
}

/** SQLite ends a text at NUL. */
const withoutNul = (value: string): string => value.replace('\0', unknownCharacter);
