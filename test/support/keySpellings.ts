/**
 * Keys, spellings of them, and a reader who tries every order of decoding. It shares no code with the client, so that a fault
 * of one is not a fault of both.
 */
import { oneOf, type Random, upTo } from '../fuzz/random.ts';

const latin = Array.from({ length: 96 }, (_, nth) => String.fromCharCode(0xa0 + nth)).join('');
const printable = Array.from({ length: 95 }, (_, nth) => String.fromCharCode(0x20 + nth)).join('');
const alphabets = [
  '0123456789abcdef',
  'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_',
  'abcxyz/+=%\\&;#"\'<>{}~ 019u',
  printable,
  printable + latin,
];

export function randomKey(random: Random, minLength: number): string {
  const alphabet = oneOf(random, alphabets);
  const length = minLength + upTo(random, 30);
  const key = Array.from({ length }, () => alphabet[upTo(random, alphabet.length)]!).join('');
  // HTTP removes blanks around a value.
  return `k${key.slice(1, -1)}z`;
}

type Spelling = (random: Random, text: string) => string;

const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, '0');
const eitherCase = (random: Random, text: string): string => (random() < 0.5 ? text.toUpperCase() : text);

/** Spells some characters in another way, and others as they are. */
function spellSome(random: Random, text: string, spellOne: (character: string) => string): string {
  const share = oneOf(random, [0.2, 0.6, 1]);
  return Array.from(text, character => (random() < share ? spellOne(character) : character)).join('');
}

const entityNames: Readonly<Record<string, string>> = {
  '/': 'sol',
  '+': 'plus',
  '<': 'lt',
  '>': 'gt',
  '&': 'amp',
  '"': 'quot',
  "'": 'apos',
  '\\': 'bsol',
  '%': 'percnt',
  ';': 'semi',
  '=': 'equals',
  é: 'eacute',
  ß: 'szlig',
};

const percentBytes = (text: string, encoding: 'utf8' | 'latin1'): string =>
  [...Buffer.from(text, encoding)].map(byte => `%${hex(byte, 2)}`).join('');

function bytesAround(random: Random, text: string): Buffer {
  const padding = (): string => oneOf(random, ['', 'a', 'xy', 'usr', 'user:', '{"key":"', '", "b":1}', '\n']);
  return Buffer.from(padding() + text + padding(), oneOf(random, ['utf8', 'latin1']));
}

export const spellings: Readonly<Record<string, Spelling>> = {
  json: (random, text) =>
    spellSome(random, text, character => {
      const code = eitherCase(random, hex(character.charCodeAt(0), 4));
      return '"\\/'.includes(character) && random() < 0.5 ? `\\${character}` : `\\u${code}`;
    }),
  jsonString: (_random, text) => JSON.stringify(text).slice(1, -1),
  percent: (random, text) => {
    const encoding = oneOf(random, ['utf8', 'latin1'] as const);
    return spellSome(random, text, character => eitherCase(random, percentBytes(character, encoding)));
  },
  component: (_random, text) => encodeURIComponent(text),
  html: (random, text) =>
    spellSome(random, text, character => {
      const code = character.charCodeAt(0);
      const name = entityNames[character];
      if (name !== undefined && random() < 0.5) return `&${name};`;
      return random() < 0.5 ? `&#${code};` : `&#${oneOf(random, ['x', 'X'])}${hex(code, upTo(random, 7))};`;
    }),
  base64: (random, text) => bytesAround(random, text).toString('base64'),
  base64url: (random, text) => bytesAround(random, text).toString('base64url'),
  base64Lines: (random, text) =>
    bytesAround(random, text)
      .toString('base64')
      .replaceAll(/.{20}/g, oneOf(random, ['$&\n', '$&\r\n'])),
};

/** The key with up to three layers of spellings, and in any case. */
export function spell(random: Random, key: string): string {
  let text = oneOf(random, [key, key, key.toUpperCase(), key.toLowerCase()]);
  for (let layer = upTo(random, 4); layer > 0; layer--) text = oneOf(random, Object.values(spellings))(random, text);
  return text;
}

// The reader

const decodeBytes = (bytes: Buffer): string => {
  const text = bytes.toString('utf8');
  return text.includes('\ufffd') ? bytes.toString('latin1') : text;
};

const jsonEscapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };
const characters: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(entityNames).map(([character, name]) => [name, character]),
);

const decodeJson = (text: string): string =>
  text.replaceAll(/\\(?:u([\da-f]{4})|(["\\/bfnrt]))/gi, (_all, code?: string, letter?: string) =>
    code === undefined ? (jsonEscapes[letter!] ?? letter!) : String.fromCharCode(Number.parseInt(code, 16)),
  );

const decodePercent = (text: string): string =>
  text.replaceAll(/(?:%[\da-f]{2})+/gi, run => decodeBytes(Buffer.from(run.replaceAll('%', ''), 'hex')));

const decodeHtml = (text: string): string =>
  text.replaceAll(/&(?:#x([\da-f]+)|#(\d+)|([a-z]+));/gi, (all, sixteen?: string, ten?: string, name?: string) => {
    if (name !== undefined) return characters[name] ?? all;
    return String.fromCharCode(sixteen === undefined ? Number(ten) : Number.parseInt(sixteen, 16));
  });

const decodeBase64 =
  (skipped: number) =>
  (text: string): string =>
    text.replaceAll(/[\w+/-](?:[\r\n]*[\w+/-]){3,}/g, run => {
      const letters = run.replaceAll(/[\r\n]/g, '');
      return letters.slice(0, skipped) + decodeBytes(Buffer.from(letters.slice(skipped), 'base64'));
    });

const decoders = [decodeJson, decodePercent, decodeHtml, ...[0, 1, 2, 3].map(decodeBase64)];

/** Whether someone who decodes the text in any order, up to `depth` times, sees the key. */
export function shows(text: string, key: string, depth: number): boolean {
  const keys = [key.toLowerCase(), key.toUpperCase()] as const;
  const seen = new Set([text]);
  let level = [text];
  for (let layer = 0; ; layer++) {
    if (level.some(one => one.toLowerCase().includes(keys[0]) || one.toUpperCase().includes(keys[1]))) return true;
    if (layer === depth) return false;
    level = level.flatMap(one => decoders.map(decode => decode(one))).filter(one => !seen.has(one) && seen.add(one));
  }
}
