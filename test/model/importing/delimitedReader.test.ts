import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seeded } from '../../fuzz/random.ts';
import { ImportFolder, readRows, readRowsOf } from '../../support/importSource.ts';

test('values stay as they are spelled: leading zeros, exponents, long digits, dates and blanks', async () => {
  const values = ['007', '1e5', '12345678901234567890', '2024-02-30', ' x ', '+1', '0x10', 'NULL', ''];
  const { rows } = await readRows('a.csv', `a,b,c,d,e,f,g,h,i\n${values.join(',')}\n`);
  assert.deepEqual(rows, [values]);
});

test('a text stands for NULL only if the user chose it and it has no quotes', async () => {
  const content = 'a,b,c\n,"",x\nNULL,"NULL",null\n';
  assert.deepEqual((await readRows('a.csv', content)).rows, [
    ['', '', 'x'],
    ['NULL', 'NULL', 'null'],
  ]);
  assert.deepEqual((await readRows('a.csv', content, { nullText: '' })).rows, [
    [null, '', 'x'],
    ['NULL', 'NULL', 'null'],
  ]);
  assert.deepEqual((await readRows('a.csv', content, { nullText: 'NULL' })).rows, [
    ['', '', 'x'],
    [null, 'NULL', 'null'],
  ]);
});

test('quoted values keep line ends, delimiters, doubled quotes and NUL characters, and rows know their lines', async () => {
  const content = 'a,b\n"1\n2\r\n3","x, ""y"""\n"\0",z\n\nlast,"end"';
  const { rows, lines } = await readRows('a.csv', content);
  assert.deepEqual(rows, [
    ['1\n2\r\n3', 'x, "y"'],
    ['\0', 'z'],
    ['last', 'end'],
  ]);
  assert.deepEqual(lines, [2, 5, 7]);
});

test('lines may end with LF, CRLF or CR', async () => {
  for (const end of ['\n', '\r\n', '\r']) {
    const { rows, columns, lines } = await readRows('a.csv', ['a,b', '1,2', '3,"4"', ''].join(end));
    assert.deepEqual(columns, ['a', 'b']);
    assert.deepEqual(rows, [
      ['1', '2'],
      ['3', '4'],
    ]);
    assert.deepEqual(lines, [2, 3]);
  }
});

test('rows with too few or too many values are rejected with their line, and the others are read', async () => {
  const { rows, faults } = await readRows('a.csv', 'a,b\n1,2\n3\n4,5,6\n7,8\n');
  assert.deepEqual(rows, [
    ['1', '2'],
    ['7', '8'],
  ]);
  assert.deepEqual(faults, [
    [3, { kind: 'fieldCount', found: 1, expected: 2 }, '3'],
    [4, { kind: 'fieldCount', found: 3, expected: 2 }, '4,5,6'],
  ]);
});

test('a quote that never ends, and text after a quote, reject one row each', async () => {
  const { rows, faults } = await readRows('a.csv', 'a,b\n1,2\n3,"x\n4,"y" z\n5,6\n7,"8\n9,10\n');
  assert.deepEqual(rows, [
    ['1', '2'],
    ['5', '6'],
    ['9', '10'],
  ]);
  assert.deepEqual(
    faults.map(([line, { kind }]) => [line, kind]),
    [
      [3, 'textAfterQuote'],
      [4, 'textAfterQuote'],
      [6, 'openQuote'],
    ],
  );
});

test('columns with empty and repeated names get names of their own', async () => {
  const { columns } = await readRows('a.csv', ' id ,,name,NAME,name:1,\n1,2,3,4,5,6\n', { hasHeader: true });
  assert.deepEqual(columns, ['id', 'column2', 'name', 'NAME:1', 'name:1:1', 'column6']);
});

test('a file in one column keeps its empty values', async () => {
  const { rows } = await readRows('a.csv', 'a\nx\n\ny\n', { hasHeader: true });
  assert.deepEqual(rows, [['x'], [''], ['y']]);
});

test('an empty file has no columns and no rows', async () => {
  for (const content of ['', '\n\n', '\uFEFF']) {
    const { columns, rows } = await readRows('a.csv', content);
    assert.deepEqual([columns, rows], [[], []]);
  }
});

test('reading can begin after any row, in every encoding', async () => {
  const random = seeded(3);
  const texts = ['', 'x', 'é', '€', 'a"b', 'line\nend', 'with, comma', '😀', '\r'];
  const lines = ['id,text'];
  for (let id = 0; id < 400; id++) {
    const text = texts[Math.floor(random() * texts.length)]!;
    lines.push(`${id},"${text.replaceAll('"', '""')}"`);
  }
  const content = `${lines.join('\n')}\n`;
  const encoded = {
    'utf-8': Buffer.from(`\uFEFF${content}`),
    'utf-16le': Buffer.from(`\uFEFF${content}`, 'utf16le'),
    'utf-16be': Buffer.from(`\uFEFF${content}`, 'utf16le').swap16(),
    'windows-1252': Buffer.from(content.replaceAll('😀', 'ä').replaceAll('€', '\u0080'), 'latin1'),
  };
  const folder = new ImportFolder();
  for (const [encoding, bytes] of Object.entries(encoded)) {
    const path = await folder.write('a.csv', bytes);
    const whole = await readRowsOf(path);
    assert.equal(whole.options.encoding, encoding);
    assert.equal(whole.rows.length, 400);
    for (let row = 0; row < 400; row += 37) {
      const rest = await readRowsOf(path, {}, whole.places[row]);
      assert.deepEqual(rest.rows, whole.rows.slice(row + 1), encoding);
      assert.deepEqual(rest.lines, whole.lines.slice(row + 1), encoding);
      assert.deepEqual(rest.places, whole.places.slice(row + 1), encoding);
    }
  }
});

test('bytes that are not UTF-8 reject their row only, and places stay right', async () => {
  const filler = 'a,b\n'.repeat(70_000);
  const content = Buffer.concat([Buffer.from(`h,i\n${filler}x,`), Buffer.of(0xe4, 0xff), Buffer.from('\nc,d\ne,é\n')]);
  const folder = new ImportFolder();
  const path = await folder.write('a.csv', content);
  const { rows, faults, places } = await readRowsOf(path, { hasHeader: true });
  assert.equal(rows.length, 70_002);
  assert.deepEqual(
    faults.map(([line, { kind }]) => [line, kind]),
    [[70_002, 'encoding']],
  );
  assert.equal(places.at(-1)?.bytes, content.length);
  assert.deepEqual((await readRowsOf(path, { hasHeader: true }, places.at(-3))).rows, [
    ['c', 'd'],
    ['e', 'é'],
  ]);
});
