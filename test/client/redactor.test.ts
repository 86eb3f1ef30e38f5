import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Redactor } from '../../src/client/redactor.ts';
import { oneOf, type Random, seeded, upTo } from '../fuzz/random.ts';

const key = 'k/1+2xyz';
const redactor = new Redactor([key]);
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const percentAll = (text: string): string => text.replaceAll(/[^]/g, one => `%${one.charCodeAt(0).toString(16)}`);

test('Redaction: a key is blanked where it stands, in any case, and the rest of the text stays', () => {
  assert.equal(redactor.text(`before ${key}, K/1+2XYZ after`), 'before [redacted], [redacted] after');
  assert.equal(redactor.text(`{"message":"bad ${key} \\"x\\""}`), '{"message":"bad [redacted] \\"x\\""}');
  assert.equal(new Redactor(['key', 'key-2']).text('key key-2'), '[redacted] [redacted]');
  assert.equal(new Redactor(['ab']).text('about YWI= cab'), '[redacted]out YWI= c[redacted]');
});

for (const spelling of [
  'k\\/1+2xyz',
  'k\\u002f1\\u002B2xyz',
  'k%2f1%2b2xyz',
  'K%2F1%2B2XYZ',
  percentAll(key),
  'k&#x2f;1&#43;2xyz',
  'k&sol;1&plus;2xyz',
  base64(key),
  base64(key.toUpperCase()),
  base64(`user:${key}`),
  base64(`{"key":"${key}"}`).replaceAll('+', '-').replaceAll('/', '_'),
  base64(key).replace(/.{4}/, '$&\\r\\n'),
]) {
  test(`Redaction: a text that spells the key ${spelling} is redacted as a whole`, () => {
    assert.equal(redactor.text(`before, ${spelling} after`), '[redacted]');
  });
}

const alphabets = [
  '0123456789abcdef',
  'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_',
  `abcxyz/+=\\&;#"'<>{}~ 019u`,
];

/** HTTP removes blanks around a value. */
function randomKey(random: Random): string {
  const alphabet = oneOf(random, alphabets);
  return `k${Array.from({ length: 6 + upTo(random, 30) }, () => alphabet[upTo(random, alphabet.length)]).join('')}z`;
}

const spellings: readonly ((text: string) => string)[] = [
  text => text.toUpperCase(),
  text => JSON.stringify(text).slice(1, -1),
  encodeURIComponent,
  percentAll,
  text => text.replaceAll(/\W/g, one => `&#${one.charCodeAt(0)};`),
  text => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
  base64,
  text => base64(`a${text}`),
  text => Buffer.from(`ab${text}`).toString('base64url'),
];

test('Redaction: no key shows in a text that spells it in one way and writes that in another', () => {
  const secret = 'q<7&k"u+p/zé~4';
  for (const inner of spellings) {
    for (const outer of [...spellings.slice(1), (text: string) => JSON.stringify(text).replaceAll('&', '\\u0026')]) {
      const spelled = outer(inner(secret));
      const clean = new Redactor([secret]).text(`{"message":"no ${spelled}."}`);
      assert.ok(!clean.includes(spelled) && clean.includes('[redacted]'), spelled);
    }
  }
});

test('Redaction: a text that is cut off in the middle of an escape within an escape does not show a key', () => {
  const secret = 'sk"7&<live>kitten~4711';
  const inHtml = secret.replaceAll(/\W/g, one => `&#${one.charCodeAt(0)};`);
  const inJson = JSON.stringify(inHtml).replaceAll('&', '\\u0026');
  for (let end = 40; end < inJson.length; end++) {
    const clean = new Redactor([secret]).text(`no ${inJson.slice(0, end)}`, { isCut: true });
    assert.equal(clean, '[redacted]', inJson.slice(0, end));
  }
});

test('Redaction: no key shows in a text that spells it in one way, whatever stands around it', () => {
  for (let seed = 0; seed < 2000; seed++) {
    const random = seeded(seed);
    const secret = randomKey(random);
    const padding = (): string => oneOf(random, ['', ' ', '"', 'key=', '/', ': ', '\n', 'é']);
    const spelled = oneOf(random, spellings)(secret);
    const clean = new Redactor([secret]).text(`${padding()}${spelled}${padding()}`);
    assert.ok(!clean.includes(spelled) && clean.includes('[redacted]'), JSON.stringify({ seed, secret, clean }));
  }
});

const prose = [
  'near "FROM": syntax error',
  'no such table: orders',
  '{"ok":false,"code":"sql_error","message":"near \\"x\\"","details":{"offset":17}}',
  '/serviceSql/projects/3f2504e0-4f89-11d3-9a0c-0305e82c3301/tables/order%20items/rows?limit=100&offset=200',
  'C:\\Users\\new\\Documents\\tables\\users.db',
  '<html><head><title>502 Bad Gateway</title></head><body>&nbsp;nginx/1.25.3&copy;</body></html>',
  'Grüße aus Köln, 5 × 7 = 35 €, naïve café, 日本語',
  'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U',
  'Thu, 01 Jan 2026 00:00:20 GMT',
  'W/"0815-50f1c2a7b6e80"',
  'Lorem ipsum dolor sit amet, consectetur adipiscing elit, sed do eiusmod tempor incididunt ut labore.',
];

test('Redaction: a text without the key is unchanged, also if the key is short', () => {
  for (let seed = 0; seed < 3000; seed++) {
    const random = seeded(seed);
    // A letter and a digit of these is in no text above.
    const secret = `q${randomKey(random).slice(1, 3 + (seed % 30))}~7`;
    const text = Array.from({ length: 1 + (seed % 5) }, () => oneOf(random, prose)).join(
      oneOf(random, [' ', '\n', '']),
    );
    assert.equal(new Redactor([secret]).text(text), text, `seed ${seed}: ${secret}`);
  }
});

test('Redaction: the beginning of a key at the end of a text that is cut off is blanked', () => {
  const long = 'secret/key+4711<abc>';
  const cut = new Redactor([long]);
  for (let length = 1; length < long.length; length++) {
    assert.equal(cut.text(`text ${long.slice(0, length)}`, { isCut: true }), 'text [redacted]');
  }
  assert.equal(cut.text(`${long} text ${long.slice(0, 3)}`, { isCut: true }), '[redacted] text [redacted]');
  for (const spelled of [percentAll(long), encodeURIComponent(long), base64(long), base64(`user:${long}`)]) {
    for (let length = 20; length < spelled.length; length++) {
      assert.match(cut.text(`text ${spelled.slice(0, length)}`, { isCut: true }), /^(?:text )?\[redacted\]$/);
    }
  }
  assert.equal(redactor.text('an honest text', { isCut: true }), 'an honest text');
  assert.equal(new Redactor(['short']).text('a text of s', { isCut: true }), 'a text of s');
});

test('Redaction: a text that is too long is redacted as a whole', () => {
  assert.equal(redactor.text('a'.repeat(16_385)), '[redacted]');
  assert.equal(new Redactor([]).text('a'.repeat(16_385)).length, 16_385);
});

test('Redaction: the fields of an error are redacted, also names, numbers and codes', () => {
  const numbers = new Redactor(['4711000']);
  assert.deepEqual(
    numbers.refusal({
      code: 'x4711000',
      message: '47%31%31000',
      details: { a4711000: [4_711_000, 4_711_000n, true, null], b: 'c' },
      rows: 'dropped',
    }),
    {
      code: 'x[redacted]',
      message: '[redacted]',
      error: undefined,
      details: { 'a[redacted]': ['[redacted]', '[redacted]', true, null], b: 'c' },
    },
  );
  const { details } = numbers.refusal({ details: Array.from({ length: 3 }, () => 'x'.repeat(7000)) });
  assert.deepEqual(
    (details as string[]).map(text => text.length),
    [7000, 7000, '[redacted]'.length],
  );
});

test('Redaction: names and values of headers, and the code of a cause, are redacted', () => {
  const headers = redactor.headers([
    ['x-echo', 'k%2F1%2B2xyz'],
    ['x-K%2F1%2B2XYZ', 'a'],
    ['X-API-Key', 'anything'],
  ]);
  assert.deepEqual({ ...headers }, { 'x-echo': '[redacted]', '[redacted]': 'a', 'X-API-Key': '[redacted]' });
  const cause = redactor.cause(Object.assign(new Error(`bad ${base64(key)}`), { code: 'k\\/1+2xyz' }));
  assert.deepEqual([cause.message, (cause as { code?: unknown }).code], ['[redacted]', '[redacted]']);
});
