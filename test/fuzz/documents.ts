/** Random answers, whole and broken. */
import { oneOf, type Random, upTo } from './random.ts';

/** Texts that a careless scanner takes for something else. */
const texts = [
  '',
  'a',
  '}',
  '},{',
  '},{"',
  '"',
  '\\',
  '\\"',
  '[',
  ']}',
  ':',
  ',',
  ' ',
  'rows',
  '{"rows":[',
  'é',
  '日',
  '🎉',
  '\u0000',
  '0123456789012345',
  '__proto__',
  '1',
];
const numbers = [
  '0',
  '-1',
  '7',
  '9007199254740993',
  '-9223372036854775808',
  '1.5',
  '-0.12345678901234567',
  '1e3',
  '9e999',
  '12345678901234567.5',
];
const blanks = ['', '', '', '', ' ', '\n', '\t\r\n '];

function text(random: Random): string {
  const plain = JSON.stringify(Array.from({ length: upTo(random, 3) }, () => oneOf(random, texts)).join(''));
  return random() < 0.1 ? plain.replaceAll('a', String.raw`\u0061`) : plain;
}

function value(random: Random, depth: number): string {
  const kind = upTo(random, depth > 0 ? 8 : 6);
  if (kind < 2) return text(random);
  if (kind < 4) return oneOf(random, numbers);
  if (kind < 6) return oneOf(random, ['null', 'true', 'false']);
  const length = upTo(random, 4);
  if (kind === 6) return `[${Array.from({ length }, () => padded(random, value(random, depth - 1))).join(',')}]`;
  return object(random, depth - 1, length);
}

const padded = (random: Random, part: string): string => `${oneOf(random, blanks)}${part}${oneOf(random, blanks)}`;

function object(random: Random, depth: number, length: number): string {
  const member = (): string => `${padded(random, text(random))}:${padded(random, value(random, depth))}`;
  return `{${Array.from({ length }, member).join(',')}}`;
}

function answer(random: Random): string {
  // A service sends rows of one shape without blanks. Every other shape must be read as well.
  const plain = random() < 0.5;
  const row = (): string =>
    plain ? `{"id":${oneOf(random, numbers)},"a":${text(random)}}` : object(random, 2, upTo(random, 4));
  const rows = Array.from({ length: upTo(random, 8) }, () => (plain ? row() : padded(random, row())));
  const members = Array.from({ length: upTo(random, 3) }, (_, index) => `"k${index}":${value(random, 3)}`);
  if (random() < 0.9)
    members.splice(
      upTo(random, members.length + 1),
      0,
      `"rows":${plain ? '' : oneOf(random, blanks)}[${rows.join(',')}]`,
    );
  if (random() < 0.5) members.push('"ok":true');
  return padded(random, `{${members.map(member => padded(random, member)).join(',')}}`);
}

/** The bytes of an answer. About half of the answers are damaged. */
export function randomDocument(random: Random): Buffer {
  const bytes = Buffer.from(answer(random));
  if (random() < 0.5) return bytes;
  const at = upTo(random, bytes.length + 1);
  const rest = bytes.subarray(at);
  switch (upTo(random, 4)) {
    case 0:
      return bytes.subarray(0, at);
    case 1:
      return Buffer.concat([bytes.subarray(0, at), rest.subarray(1 + upTo(random, 3))]);
    case 2:
      return Buffer.concat([
        bytes.subarray(0, at),
        Buffer.from(oneOf(random, ['"', '{', '}', '[', ']', ',', 'x', '7', '\\'])),
        rest,
      ]);
    default:
      return Buffer.concat([bytes.subarray(0, at), Buffer.from([oneOf(random, [0xff, 0xc3, 0x80, 0x0a])]), rest]);
  }
}

export function randomChunks(random: Random, bytes: Buffer): Buffer[] {
  const chunks: Buffer[] = [];
  const most = oneOf(random, [1, 3, 17, bytes.length + 1]);
  for (let at = 0; at < bytes.length;) {
    const next = at + 1 + upTo(random, most);
    chunks.push(bytes.subarray(at, next));
    at = next;
  }
  return chunks;
}
