import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readRows } from '../../support/importSource.ts';

const detected = async (content: string) => {
  const { options } = await readRows('a.csv', content);
  return [options.delimiter, options.quote, options.hasHeader];
};

const formatOf = async (content: string) => (await readRows('rows', content)).options.format;

test('the delimiter, the quote and the header are detected', async () => {
  assert.deepEqual(await detected('a,b\n1,2\n'), [',', '"', true]);
  assert.deepEqual(await detected('a;b\n1,5;2\n3,5;4\n'), [';', '"', true]);
  assert.deepEqual(await detected('a\tb, c\n1\t2\n'), ['\t', '"', true]);
  assert.deepEqual(await detected('a|b|c\n1|2, 3|4\n'), ['|', '"', true]);
  assert.deepEqual(await detected('1,2\n3,4\n'), [',', '"', false]);
  assert.deepEqual(await detected('2024-01-02,x\n2024-01-03,y\n'), [',', '"', false]);
  assert.deepEqual(await detected(`'a','b'\n'1','2;3'\n`), [',', "'", true]);
  assert.deepEqual(await detected('a,b\n"1;2;3",x\n"4;5;6",y\n'), [',', '"', true]);
});

test('the encoding is detected with and without a byte order mark', async () => {
  const text = 'name,city\nZoë,Düsseldorf\nJosé,São Paulo\n';
  const utf16 = Buffer.from(text, 'utf16le');
  const files: readonly (readonly [string, Uint8Array])[] = [
    ['utf-8', Buffer.from(text)],
    ['utf-8', Buffer.from(`\uFEFF${text}`)],
    ['utf-16le', Buffer.from(`\uFEFF${text}`, 'utf16le')],
    ['utf-16le', utf16],
    ['utf-16be', Buffer.from(utf16).swap16()],
    ['windows-1252', Buffer.from(text, 'latin1')],
  ];
  for (const [encoding, bytes] of files) {
    const { options, columns, rows } = await readRows('a.csv', bytes);
    assert.equal(options.encoding, encoding);
    assert.deepEqual(columns, ['name', 'city']);
    assert.deepEqual(rows, [
      ['Zoë', 'Düsseldorf'],
      ['José', 'São Paulo'],
    ]);
  }
});

test('Windows-1252 has its own characters where Latin-1 has control characters', async () => {
  const { rows } = await readRows('a.csv', Buffer.from([0x61, 0x0a, 0x80, 0x93, 0x94, 0xe9, 0x0a]), {
    hasHeader: true,
  });
  assert.deepEqual(rows, [['€“”é']]);
});

test('the format is detected by the content if the file name does not show it', async () => {
  assert.equal(await formatOf('[{"a":1}]'), 'json');
  assert.equal(await formatOf(' [\n  {"a":1}]'), 'json');
  assert.equal(await formatOf('{"a":1}\n{"a":2}\n'), 'ndjson');
  assert.equal(await formatOf('a\tb\n1\t2\n'), 'tsv');
  assert.equal(await formatOf('a,b\n1,2\n'), 'csv');
});
