import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { parquetReadObjects } from 'hyparquet';
import readWorkbook from 'read-excel-file/node';
import type { CellRange } from '../../../src/protocol/rowQueries.ts';
import { emptyMemory, exportWith, readText } from '../../support/exportDialog.ts';

test('all rows are exported to a file, and the focus comes back before they are written', async context => {
  const { folder, files, events } = await exportWith(context, { choices: ['Export'], file: 'rows.csv' });
  assert.deepEqual(files, ['rows.csv']);
  assert.equal(await readText(folder, 'rows.csv'), 'formula,number,text\r\n=1+1,-5,"a,b"\r\nx,,""\r\n');
  assert.deepEqual(events, ['focus', 'Exported 2 rows to rows.csv. | Open | Reveal']);
});

test('texts that look like formulas are guarded if the user chooses so', async context => {
  const answers = { choices: ['TSV', 'Escape formulas', 'Export'], file: 'rows.tsv' };
  const { folder } = await exportWith(context, answers);
  assert.match(await readText(folder, 'rows.tsv'), /^'=1\+1\t-5\ta,b$/m);
});

test('a database has one table with the rows', async context => {
  const { folder } = await exportWith(context, { choices: ['SQLite', 'Export'], file: 'rows.db' });
  using database = new DatabaseSync(join(folder, 'rows.db'), { readOnly: true });
  const { rows } = database.prepare('SELECT count(*) AS rows FROM orders').get() ?? {};
  assert.equal(rows, 2);
});

test('a database that replaces a private file is private as well', async context => {
  const { folder, files } = await exportWith(context, {
    choices: ['SQLite', 'Export'],
    file: 'rows.db',
    replacedMode: 0o600,
  });
  assert.deepEqual(files, ['rows.db']);
  assert.equal((await stat(join(folder, 'rows.db'))).mode & 0o777, 0o600);
  using database = new DatabaseSync(join(folder, 'rows.db'), { readOnly: true });
  assert.deepEqual({ ...database.prepare('SELECT count(*) AS rows FROM orders').get() }, { rows: 2 });
});

test('an Excel file has the rows, and a sheet with the SQL if the user chooses so', async context => {
  const answers = { choices: ['Excel', 'Sheet with the SQL', 'Export'], file: 'rows.xlsx' };
  const { folder, events } = await exportWith(context, answers);
  const [rows, sql] = await readWorkbook(join(folder, 'rows.xlsx'));
  assert.deepEqual(rows?.data, [
    ['formula', 'number', 'text'],
    ['=1+1', -5, 'a,b'],
    ['x', null, null],
  ]);
  assert.equal(sql?.sheet, 'SQL');
  assert.match(String(sql.data[0]?.[0]), /^SELECT /);
  assert.deepEqual(events, ['focus', 'Exported 2 rows to rows.xlsx. | Reveal']);
});

test('a Parquet file has the rows, and the message names the columns whose values have several types', async context => {
  const { folder, files, events } = await exportWith(context, {
    choices: ['Parquet', 'Export'],
    file: 'rows.parquet',
    prepare: (_queries, rows) => rows.add({ formula: 1, number: 2, text: null }),
  });
  assert.deepEqual(files, ['rows.parquet']);
  const { buffer } = new Uint8Array(await readFile(join(folder, 'rows.parquet')));
  assert.deepEqual(await parquetReadObjects({ file: buffer }), [
    { formula: '=1+1', number: -5n, text: 'a,b' },
    { formula: 'x', number: null, text: '' },
    { formula: '1', number: 2n, text: null },
  ]);
  const note = 'These columns have values of several types, so all are texts: formula.';
  assert.deepEqual(events, ['focus', `Exported 3 rows to rows.parquet. ${note} | Reveal`]);
});

for (const [what, answers] of [
  ['the format', {}],
  ['the file', { choices: ['JSON', 'Export'] }],
] as const) {
  test(`a user who cancels the prompt for ${what} gets the focus back and no file`, async context => {
    const { files, events } = await exportWith(context, answers);
    assert.deepEqual([files, events], [[], ['focus']]);
  });
}

test('an export that fails says why and leaves no file', async context => {
  const { files, events } = await exportWith(context, { choices: ['Export'], file: 'missing/rows.csv' });
  assert.deepEqual(files, []);
  assert.match(events[1] ?? '', /^The export failed, and its file was removed: .*ENOENT/);
});

test('one list has the rows, the options that fit the format, and the formats', async context => {
  const { shown } = await exportWith(context, {
    choices: ['Header Row', 'Delimiter', 'nothing'],
    values: ['semicolon'],
  });
  assert.deepEqual(shown, [
    'Export orders',
    '$(save) Export as CSV… 2 rows',
    'Options',
    '$(dash) Header Row',
    '$(chevron-right) Delimiter: semicolon',
    '$(chevron-right) NULL Text: empty',
    '$(chevron-right) BLOBs: hex',
    "$(dash) Escape formulas for spreadsheets puts ' before texts that begin with =, +, - or @",
    'Format',
    '$(circle-filled) CSV values with a delimiter between them',
    '$(circle-outline) TSV values with tabs between them',
    '$(circle-outline) Excel a workbook',
    '$(circle-outline) Parquet columns with types, for data tools',
    '$(circle-outline) JSON one list of objects',
    '$(circle-outline) NDJSON one object per line',
    '$(circle-outline) Markdown a table',
    '$(circle-outline) SQL INSERT statements that insert the rows',
    '$(circle-outline) SQLite a database with one table',
  ]);
  const { shown: ofInsert } = await exportWith(context, {
    choices: ['SQL INSERT', 'Rows per INSERT', 'nothing'],
    values: ['100'],
  });
  assert.deepEqual(ofInsert.slice(1, 4), [
    '$(save) Export as SQL INSERT… 2 rows',
    'Options',
    '$(chevron-right) Rows per INSERT: 100',
  ]);
});

test('the list says how many rows there are when the run ends while it is open', async context => {
  const { shown } = await exportWith(context, { endsMeanwhile: true });
  assert.equal(shown[1], '$(save) Export as CSV… 2 rows');
});

test('the options of a format are written', async context => {
  const choices = ['Header Row', 'Delimiter', 'NULL Text', 'Export'];
  const values = ['semicolon', 'NULL'];
  const { folder } = await exportWith(context, { choices, values, file: 'rows.csv' });
  assert.equal(await readText(folder, 'rows.csv'), '=1+1;-5;a,b\r\nx;NULL;\r\n');
  const inserts = ['SQL INSERT', 'Rows per INSERT', 'Export'];
  const { folder: other } = await exportWith(context, { choices: inserts, values: ['100'], file: 'rows.sql' });
  assert.equal(
    await readText(other, 'rows.sql'),
    `INSERT INTO "orders" ("formula", "number", "text") VALUES\n('=1+1', -5, 'a,b'),\n('x', NULL, '');\n`,
  );
});

test('an option lists its values and the way to type another, and Escape leaves it as it was', async context => {
  const { lists, shown } = await exportWith(context, { choices: ['Delimiter', 'NULL Text', 'BLOBs', 'nothing'] });
  assert.deepEqual(lists, [
    [
      '$(circle-filled) comma',
      '$(circle-outline) semicolon',
      '$(circle-outline) vertical bar',
      '$(circle-outline) Other…',
    ],
    ['$(circle-filled) empty', '$(circle-outline) NULL', String.raw`$(circle-outline) \N`, '$(circle-outline) Other…'],
    ['$(circle-filled) hex 0x00FF', '$(circle-outline) base64 AP8='],
  ]);
  assert.deepEqual(shown.slice(4, 7), [
    '$(chevron-right) Delimiter: comma',
    '$(chevron-right) NULL Text: empty',
    '$(chevron-right) BLOBs: hex',
  ]);
});

test('the user types a delimiter of one character, and values that contain it are quoted', async context => {
  const typed = async (...values: readonly string[]) => {
    const exported = await exportWith(context, {
      choices: ['Delimiter', 'Export'],
      values: ['Other…', ...values],
      file: 'rows.csv',
    });
    return { ...exported, text: await readText(exported.folder, 'rows.csv') };
  };
  const { refusals, text } = await typed('', '::', '"', '\n', ':');
  assert.deepEqual(refusals, [
    'Enter one character.',
    'Enter one character.',
    'Quotes and line breaks cannot be a delimiter.',
    'Quotes and line breaks cannot be a delimiter.',
  ]);
  assert.equal(text, 'formula:number:text\r\n=1+1:-5:a,b\r\nx::""\r\n');
  assert.equal((await typed(String.raw`\t`)).text, 'formula\tnumber\ttext\r\n=1+1\t-5\ta,b\r\nx\t\t""\r\n');
  assert.equal((await typed('-')).text, 'formula-number-text\r\n=1+1-"-5"-a,b\r\nx--""\r\n');
  assert.equal((await typed('^')).text, 'formula^number^text\r\n=1+1^-5^a,b\r\nx^^""\r\n');
  assert.equal((await typed('→')).text, 'formula→number→text\r\n=1+1→-5→a,b\r\nx→→""\r\n');
});

test('the user types a text for NULL, which cannot contain the delimiter', async context => {
  const { folder, refusals } = await exportWith(context, {
    choices: ['NULL Text', 'Export'],
    values: ['Other…', 'a,b', 'say "none"', 'n'.repeat(21), 'x'],
    file: 'rows.csv',
  });
  assert.deepEqual(refusals, [
    'The NULL text cannot contain the delimiter.',
    'Quotes, tabs and line breaks cannot stand for NULL.',
    'Enter a shorter text.',
  ]);
  // A text that is spelled like NULL has quotes.
  assert.equal(await readText(folder, 'rows.csv'), 'formula,number,text\r\n=1+1,-5,"a,b"\r\n"x",x,\r\n');
  const { refusals: ofDelimiter } = await exportWith(context, {
    choices: ['NULL Text', 'Delimiter', 'nothing'],
    values: [String.raw`\N`, 'Other…', 'N'],
  });
  assert.deepEqual(ofDelimiter, [String.raw`The NULL text '\N' has this character.`]);
});

test('the user types the number of rows per INSERT', async context => {
  const { refusals, shown } = await exportWith(context, {
    choices: ['SQL INSERT', 'Rows per INSERT', 'nothing'],
    values: ['Other…', '0', '2.5', '10001', '500'],
  });
  const refusal = 'Enter a whole number from 1 to 10,000.';
  assert.deepEqual(refusals, [refusal, refusal, refusal]);
  assert.equal(shown[3], '$(chevron-right) Rows per INSERT: 500');
});

test('BLOBs are written as hex or as base64', async context => {
  const exported = async (format: string, ...values: readonly string[]): Promise<string> => {
    const choices = [format, ...(values.length > 0 ? ['BLOBs'] : []), 'Export'];
    const { folder } = await exportWith(context, { choices, values, file: 'rows.txt', hasBlobs: true });
    return readText(folder, 'rows.txt');
  };
  assert.equal(await exported('CSV'), 'formula,number,text\r\n=1+1,-5,0x00FF\r\nx,,\r\n');
  assert.equal(await exported('CSV', 'base64'), 'formula,number,text\r\n=1+1,-5,AP8=\r\nx,,\r\n');
  assert.match(await exported('TSV', 'base64'), /\tAP8=$/m);
  assert.match(await exported('Markdown', 'base64'), /\| AP8= \|$/m);
  assert.match(await exported('Markdown'), /\| 0x00FF \|$/m);
});

test('an export begins with the options of the last one, and a cancelled one changes none', async context => {
  const memory = emptyMemory();
  const answers = { memory, file: 'rows.csv' };
  await exportWith(context, {
    ...answers,
    choices: ['Header Row', 'Escape formulas', 'Delimiter', 'NULL Text', 'BLOBs', 'Export'],
    values: ['semicolon', 'NULL', 'base64'],
  });
  await exportWith(context, { ...answers, choices: ['Header Row', 'JSON', 'nothing'] });
  const { shown } = await exportWith(context, { ...answers, choices: ['nothing'] });
  assert.deepEqual(shown.slice(1, 8), [
    '$(save) Export as CSV… 2 rows',
    'Options',
    '$(dash) Header Row',
    '$(chevron-right) Delimiter: semicolon',
    '$(chevron-right) NULL Text: NULL',
    '$(chevron-right) BLOBs: base64',
    "$(check) Escape formulas for spreadsheets puts ' before texts that begin with =, +, - or @",
  ]);
  // A value of another version is ignored.
  await memory.update('exportOptions', { format: 'xml' });
  const { shown: afresh } = await exportWith(context, { ...answers, choices: ['nothing'] });
  assert.equal(afresh[3], '$(check) Header Row');
});

const filtered = {
  sort: [],
  filters: [{ kind: 'contains', column: 0, text: 'x' }],
} as const;

test('filtered rows, all rows or the selected ones are exported', async context => {
  const selection: CellRange[] = [{ firstRow: 0, endRow: 1, columns: [2, 0] }];
  const exported = async (...choices: readonly string[]): Promise<string> => {
    const { folder, events } = await exportWith(context, {
      choices,
      selection,
      file: 'rows.csv',
      prepare: queries => queries.arrange(filtered),
    });
    return `${await readText(folder, 'rows.csv')}${events.at(-1)}`;
  };
  assert.equal(await exported('Export'), 'formula,number,text\r\nx,,""\r\nExported 1 row to rows.csv. | Open | Reveal');
  assert.equal(
    await exported('All Rows', 'Export'),
    'formula,number,text\r\n=1+1,-5,"a,b"\r\nx,,""\r\nExported 2 rows to rows.csv. | Open | Reveal',
  );
  assert.equal(
    await exported('Selected Rows', 'Export'),
    'text,formula\r\n"",x\r\nExported 1 row to rows.csv. | Open | Reveal',
  );
});

test('a file is proposed with the name of the table, or else of the tab', async context => {
  for (const [tabTitle, name] of [
    [undefined, '/orders.csv'],
    ['Best customers · 2026', '/Best-customers-2026.csv'],
  ] as const) {
    const { saveOptions } = await exportWith(context, { choices: ['Export'], ...(tabTitle && { tabTitle }) });
    assert.ok(saveOptions[0]?.defaultUri?.path.endsWith(name), saveOptions[0]?.defaultUri?.path);
  }
});

test('the ending that the user types stays, and a name without one gets that of the format', async context => {
  const { files, saveOptions } = await exportWith(context, { choices: ['Export'], file: 'rows.txt' });
  assert.deepEqual(files, ['rows.txt']);
  assert.deepEqual(saveOptions[0]?.filters, { CSV: ['csv'], 'All Files': ['*'] });
  const { files: completed } = await exportWith(context, { choices: ['JSON', 'Export'], file: 'rows' });
  assert.deepEqual(completed, ['rows.json']);
});
