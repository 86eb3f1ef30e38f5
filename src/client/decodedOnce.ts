const letterEscapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  apos: "'",
  bsol: '\\',
  equals: '=',
  gt: '>',
  lt: '<',
  percnt: '%',
  plus: '+',
  quot: '"',
  semi: ';',
  sol: '/',
};

/** An escape that has begun at the end of a text. */
const halfEscape = /(?:%[\da-f]?|\\(?:u[\da-f]{0,3})?|&#?[a-z\d]{0,8})$/i;

export const withoutHalfEscape = (text: string): string => text.replace(halfEscape, '');

/** The readings of a text as one that was written in JSON, in a URL, in HTML or in base64. Each has one layer less. */
export function decodedOnce(text: string): string[] {
  const readings = [
    text.replaceAll(/\\(?:u([\da-f]{4})|(.))/gi, (_all, code: string | undefined, letter: string) =>
      code === undefined ? (letterEscapes[letter] ?? letter) : character(code, 16),
    ),
    text.replaceAll(/(?:%[\da-f]{2})+/gi, run => decodedBytes(Buffer.from(run.replaceAll('%', ''), 'hex'))),
    text.replaceAll(
      /&(?:#x([\da-f]{1,6})|#(\d{1,7})|([a-z]{2,6}));/gi,
      (all, hex?: string, digits?: string, name?: string) => {
        if (name !== undefined) return entities[name] ?? all;
        return hex === undefined ? character(digits!, 10) : character(hex, 16);
      },
    ),
  ];
  // Base64 may be broken into lines, and other letters may stand right before it.
  const oneLine = text.replaceAll(/\s|\\[nr]/g, '');
  for (const skipped of [0, 1, 2, 3]) {
    readings.push(oneLine.replaceAll(/[\w+/-]{4,}/g, run => decodedBytes(Buffer.from(run.slice(skipped), 'base64'))));
  }
  return readings.filter(reading => reading !== text);
}

function character(digits: string, radix: number): string {
  const code = Number.parseInt(digits, radix);
  return code <= 0x10_ff_ff ? String.fromCodePoint(code) : '';
}

function decodedBytes(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  return text.includes('\ufffd') ? bytes.toString('latin1') : text;
}
