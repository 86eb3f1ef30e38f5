import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Redactor } from '../../src/client/redactor.ts';
import { oneOf, seeded } from '../fuzz/random.ts';
import { randomKey, shows, spell } from '../support/keySpellings.ts';

const key = 'k/1+2xyz';
const redactor = new Redactor([key]);
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const percentAll = (text: string): string => text.replaceAll(/[^]/g, one => `%${one.charCodeAt(0).toString(16)}`);

const spelled: readonly string[] = [
  key,
  'K/1+2XYZ',
  'k\\/1+2xyz',
  'k\\u002f1\\u002B2xyz',
  'k\\\\u002f1\\\\\\\\u002b2xyz',
  'k\\x2f1+2xyz',
  'k\\u{2f}1\\u{00002B}2xyz',
  'k\\\\u{%32f}1+2xyz',
  'k%2f1%2b2xyz',
  'k%252F1%252B2xyz',
  'k%2f1 2xyz',
  'k&#x2f;1&#43;2xyz',
  'k&sol;1&plus;2xyz',
  'k&amp;sol;1&#0000043;2xyz',
  base64(key),
  base64(percentAll(key)),
  percentAll(base64(key)).replace(/%3d$/, ''),
  base64(key).replace(/.{4}/, '$&\\r\\n'),
  'k\\u00%32f1&#x%32b;2xyz',
];

for (const spelling of spelled) {
  test(`Redaction: the key is blanked where it is spelled ${spelling}`, () => {
    assert.equal(redactor.text(`before, ${spelling.replace(/=+$/, '')} after`), 'before, [redacted] after');
  });
}

test('Redaction: the part of a run of base64 that holds the key is blanked, wherever it begins', () => {
  assert.equal(redactor.text(base64(`usr:${key}:p`)), 'dXNyO[redacted]OnA=');
  for (const before of ['', 'a', 'ab', 'abc', 'abcd']) {
    for (const text of [`${before}${base64(`?${key}>>`)}`, base64(`${before}${base64(`?${key}`)}?`)]) {
      const clean = redactor.text(text);
      assert.ok(clean.includes('[redacted]') && !shows(clean, key, 2), clean);
      const urlSafe = redactor.text(text.replaceAll('/', '_').replaceAll('+', '-'));
      assert.ok(urlSafe.includes('[redacted]') && !shows(urlSafe, key, 2), urlSafe);
    }
  }
});

test('Redaction: base64 in base64 is decoded where the text before it takes some of its letters', () => {
  const nested = base64(`xy${base64(`\n${key}`)}`);
  for (const taken of [0, 1, 2, 3]) {
    for (const before of ['', '.', '%2e', 'Zz9.']) {
      const text = before + nested.slice(taken);
      const clean = redactor.text(text);
      assert.ok(shows(text, key, 2) && !shows(clean, key, 2), JSON.stringify({ text, clean }));
    }
  }
});

test('Redaction: a key beyond ASCII is blanked in any encoding and case', () => {
  const latin = new Redactor(['clé-ßµ-ÿ4711']);
  for (const spelling of [
    'clé-ßµ-ÿ4711',
    'CLÉ-SSΜ-Ÿ4711',
    'cl%e9-%df%b5-%ff4711',
    'cl%C3%A9-%c3%9f%c2%b5-%c3%bf4711',
    'cl&eacute;-&szlig;&micro;-&#255;4711',
    'cl\\u00e9-\\u00df\\u00b5-\\u00ff4711',
    'clÃ©-Ã\u009fÂµ-Ã¿4711',
    Buffer.from('clé-ßµ-ÿ4711', 'utf8').toString('base64'),
    Buffer.from('clé-ßµ-ÿ4711', 'latin1').toString('base64'),
  ]) {
    assert.match(latin.text(`<${spelling}>`), /^<\[redacted\]=*>$/, spelling);
  }
});

test('Redaction: a key is blanked beside half an escape that takes its first letters', () => {
  const hex = new Redactor(['deadbeefcafe4711']);
  for (const text of ['%deadbeefcafe%34711', '\\udeadbeefcafe%34711', '\\\\deadbeefcafe%34711', '%deadbeefcafe4711']) {
    assert.ok(!shows(hex.text(text), 'beefcafe', 2), text);
  }
});

const manyBackslashes = [1, 2, 3, 8, 16, 17].flatMap(count => [
  { secret: '41zq', text: `${'\\'.repeat(count)}%41%%2534%2531zq` },
  { secret: '41zq', text: `${'\\'.repeat(count)}u0041%%2534%2531zq` },
  { secret: '41zq', text: `${'\\'.repeat(count)}&#x41;%%2534%2531zq` },
]);

/** Texts in which a key of fewer than eight characters showed once: an escape before it took its first letters. */
const textsThatShowedKeys = [
  { secret: 'eb0dz', text: String.raw`%2531\u005c%&#101;%620&#37;&#X36;4&#x00007a;` },
  { secret: '52%z6%z', text: '%2534%5c%25%35%32%25%&#x037;A%36%25%7&#x41;' },
].concat(manyBackslashes);

test('Redaction: no order of decoding shows a key in a redacted text', () => {
  // The last ones showed a key once.
  const seeds = [...Array(4000).keys(), 28_699, 47_075, 50_268, 57_207, 60_117, 88_378, 98_680, 199_276];
  let shown = 0;
  for (const seed of seeds) {
    const random = seeded(seed);
    const secret = randomKey(random, seed % 3 === 0 ? 4 : 8);
    const padding = (): string =>
      oneOf(random, ['', ' ', '"', 'key=', '/', 'a', 'Zz9', '%', '%2', '\\', '\\u00', '&', '&#', ';', ': ', '\n', 'é']);
    const text = `${padding()}${padding()}${spell(random, secret)}${padding()}${padding()}`;
    const clean = new Redactor([secret]).text(text);
    if (shows(text, secret, 3)) shown++;
    assert.ok(!shows(clean, secret, 3), `seed ${seed}: ${JSON.stringify({ secret, text, clean })}`);
  }
  for (const { secret, text } of textsThatShowedKeys) {
    const clean = new Redactor([secret]).text(text);
    assert.ok(!shows(clean, secret, 3), JSON.stringify({ secret, text, clean }));
  }
  // Otherwise the reader would be blind.
  assert.ok(shown > seeds.length * 0.9, `${shown} of ${seeds.length} texts show the key`);
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
    const secret = `q${randomKey(random, 3).slice(1, 3 + (seed % 30))}~7`;
    const text = Array.from({ length: 1 + (seed % 5) }, () => oneOf(random, prose)).join(
      oneOf(random, [' ', '\n', '']),
    );
    assert.equal(new Redactor([secret]).text(text), text, `seed ${seed}: ${secret}`);
  }
});

test('Redaction: a short key is blanked where it shows, and in base64 from four characters on', () => {
  assert.equal(
    new Redactor(['4711']).text(`4711 s, %34711, ${base64('pin:4711')}`),
    '[redacted] s, [redacted], cGluO[redacted]=',
  );
  assert.equal(new Redactor(['ab']).text('about YWI= cab'), '[redacted]out YWI= c[redacted]');
});

test('Redaction: the beginning of a key at the end of a text that is cut off is blanked', () => {
  const long = 'secret/key+4711<abc>';
  const ways = [long, percentAll(long), JSON.stringify(long), long.replaceAll(/\W/g, one => `&#${one.charCodeAt(0)};`)];
  for (const way of ways) {
    for (let length = 5; length < way.length; length++) {
      const clean = new Redactor([long]).text(`text ${way.slice(0, length)}`, { isCut: true });
      assert.ok(/^text "?\[redacted\]$/.test(clean), clean);
    }
  }
  const encoded = base64(`user:${long}`);
  const clean = new Redactor([long]).text(`text ${encoded.slice(0, 20)}`, { isCut: true });
  assert.equal(clean, 'text dXNlcj[redacted]');
  assert.equal(redactor.text('an honest text', { isCut: true }), 'an honest text');
});

test('Redaction: a text that is too long, or nests too deep, is redacted as a whole', () => {
  let nested = `${key}${' x'.repeat(40)}`;
  for (let layer = 0; layer < 4; layer++) nested = base64(nested);
  assert.ok(redactor.text(`a ${nested}`).startsWith('a '));
  assert.equal(redactor.text(`a ${base64(nested)}`), '[redacted]');
  assert.equal(redactor.text('a'.repeat(16_385)), '[redacted]');
  assert.equal(new Redactor([]).text('a'.repeat(16_385)).length, 16_385);
});

test('Redaction: the fields of an error are redacted in any spelling, also names, numbers and codes', () => {
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

test('Redaction: names and values of headers, and the code of a cause, are redacted in any spelling', () => {
  const headers = redactor.headers([
    ['x-echo', 'k%2F1%2B2xyz'],
    ['x-K%2F1%2B2XYZ', 'a'],
    ['X-API-Key', 'anything'],
  ]);
  assert.deepEqual({ ...headers }, { 'x-echo': '[redacted]', 'x-[redacted]': 'a', 'X-API-Key': '[redacted]' });
  const cause = redactor.cause(Object.assign(new Error(`bad ${base64(key)}`), { code: 'k\\/1+2xyz' }));
  assert.deepEqual([cause.message, (cause as { code?: unknown }).code], ['bad [redacted]=', '[redacted]']);
});

test('Redaction: the texts of one refusal share a limit of work, and those past it are redacted as a whole', () => {
  let text = 'abcdefgh12345678ABCD';
  for (let layer = 0; layer < 3; layer++) text = `\\u0020%20&#32;${base64(text)}`;
  const careful = new Redactor(['key-of-twenty-chars-']);
  const details = { list: Array<string>(100).fill(text) };
  const { details: shown } = careful.refusal({ details });
  assert.deepEqual(
    [(shown as { list: string[] }).list[0], (shown as { list: string[] }).list.at(-1)],
    [text, '[redacted]'],
  );
});
