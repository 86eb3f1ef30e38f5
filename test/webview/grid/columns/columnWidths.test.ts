import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ShownValue } from '../../../../src/protocol/shownValues.ts';
import type { Column } from '../../../../src/wire/values.ts';
import { firstWidths, fittingWidth } from '../../../../webview/grid/columns/columnWidths.ts';

const widthOf = (shown: string): number => shown.length * 10;
const text = (value: string) => ({ kind: 'text', text: value }) as const;

const sized = (columns: readonly Column[], sample: readonly (readonly ShownValue[])[], room = 0): number[] =>
  firstWidths({ columns, sample, characterWidth: 8, room });

test('first widths follow names and values, within limits, and a name has room for its marks', () => {
  const columns = ['id', 'a long column name', 'note'].map(name => ({ name, type: '' }));
  const widths = sized(columns, [[text('1'), text(''), text('x'.repeat(5000))]]);
  assert.deepEqual(widths, [64, 18 * 8 + 48, 360]);
});

test('columns that would be cut share the room that is left', () => {
  const columns = ['id', 'note', 'text'].map(name => ({ name, type: '' }));
  const rows = [[text('1'), text('x'.repeat(60)), text('x'.repeat(5000))]];
  const [id = 0, note = 0, long = 0] = sized(columns, rows, 1000);
  assert.equal(id, 64);
  assert.ok(note > 360 && long > note && id + note + long <= 1000, `${note} and ${long}`);
  assert.deepEqual(sized(columns, rows, 5000), [64, 60 * 8 + 18, 900], 'no more than they need');
});

test('types in headers get what is free after the values, and only whole', () => {
  const columns = [
    { name: 'id', type: 'INTEGER' },
    { name: 'note', type: 'TEXT' },
  ];
  const rows = [[text('1'), text('x'.repeat(60))]];
  const widthsIn = (room: number): number[] =>
    firstWidths({ columns, sample: rows, characterWidth: 10, room, showsTypes: true });
  const [id, note] = [2 * 10 + 48, 60 * 10 + 18];
  assert.deepEqual(widthsIn(id + note), [id, note]);
  assert.deepEqual(widthsIn(id + note + 62), [id, note]);
  assert.deepEqual(widthsIn(id + note + 64), [id + 4 + 60, note]);
});

test("the user's widths stay, and a column gets no narrower than in the result before", () => {
  const columns = ['id', 'note', 'text'].map(name => ({ name, type: '' }));
  const widths = firstWidths({
    columns,
    sample: [[text('1'), text('x'.repeat(60)), text('x'.repeat(60))]],
    characterWidth: 10,
    room: 5000,
    chosenWidth: column => (column === 1 ? 100 : undefined),
    leastWidth: column => (column === 0 ? 150 : 0),
  });
  assert.deepEqual(widths, [150, 100, 618]);
});

test('a script log has room for later errors only where no value is cut for it', () => {
  const columns = [
    { name: 'Statement', type: 'TEXT' },
    { name: 'Result', type: 'TEXT', leadsTo: 'error' },
  ] as const;
  const widthsIn = (room: number): number[] =>
    firstWidths({ columns, sample: [[text('x'.repeat(60)), text('done')]], characterWidth: 10, room });
  const [statement, result] = [60 * 10 + 18, 6 * 10 + 48];
  assert.deepEqual(widthsIn(statement + result), [statement, result]);
  assert.deepEqual(widthsIn(5000), [statement, 70 * 10 + 18]);
});

test('a column gets narrower than in the result before where a value beside it would be cut', () => {
  const columns = ['id', 'note'].map(name => ({ name, type: '' }));
  const widthsIn = (room: number): number[] =>
    firstWidths({
      columns,
      sample: [[text('1'), text('x'.repeat(20))]],
      characterWidth: 10,
      room,
      leastWidth: column => (column === 0 ? 500 : 0),
    });
  const [id, note] = [2 * 10 + 48, 20 * 10 + 18];
  assert.deepEqual(widthsIn(500 + note), [500, note]);
  assert.deepEqual(widthsIn(300 + note), [300, note]);
  // Columns that need scrolling anyway keep their widths.
  assert.deepEqual(widthsIn(id + note - 1), [500, note]);
});

test('a column of BLOBs is as wide as what a cell shows of them', () => {
  const blob = { kind: 'text', text: 'A'.repeat(1000), length: 4_000_000 } as const;
  assert.deepEqual(sized([{ name: 'picture', type: 'BLOB' }], [[blob]], 5000), [52 * 8 + 18]);
});

test('number columns have room for larger numbers than the first ones', () => {
  const columns = ['id', 'score'].map(name => ({ name, type: '' }));
  const rows = [[{ kind: 'integer', text: '1' } as const, { kind: 'real', text: '1234.56789' } as const]];
  assert.deepEqual(sized(columns, rows), [8 * 8 + 18, 10 * 8 + 18]);
});

test('a fitting width shows the longest text, up to a limit', () => {
  assert.equal(fittingWidth('name', ['a', 'abcdefghij'], widthOf), 100 + 18);
  assert.equal(fittingWidth('a name', [], widthOf), 66 + 48);
  assert.equal(fittingWidth('name', ['x'.repeat(5000)], widthOf), 1200);
});
