import assert from 'node:assert/strict';
import { test } from 'node:test';
import { columnsOfFirstRow } from '../../src/client/rowScanner.ts';
import { assertWithin, longestTurnMs } from '../support/cpuTime.ts';

async function columnsOf(bytes: Uint8Array): Promise<string[] | undefined> {
  const columns = await columnsOfFirstRow({ bytes, rowCount: 1 });
  return columns?.map(({ name }) => name);
}

for (const [row, names] of [
  ['{}', []],
  ['{"b":1,"10":2,"2":3,"b":4}', ['b', '10', '2']],
  ['{ "a" :\n"}" , "b":[{"c":"]"},[]] ,"d":{"e":"{"},"f":-1.5e3 }', ['a', 'b', 'd', 'f']],
  [String.raw`{"\u0061\"":"\"","\\":"\\","é":"\\\""}`, ['a"', '\\', 'é']],
  ['{"a":1},{"b":2}', ['a']],
  ['{a:1}', undefined],
  [String.raw`{"\q":1}`, undefined],
  ['{"a":"', undefined],
  ['{"a":[1', undefined],
  ['{"a":12', undefined],
] as const) {
  test(`Columns: the keys of ${row} are ${names?.join(', ') ?? 'none'}`, async () => {
    assert.deepEqual(await columnsOf(Buffer.from(row)), names);
  });
}

test('Columns: a row of several pieces has its columns wherever a piece ends', async () => {
  const end = String.raw`","k\"":"\\\"}","n":[{"z":"],\""}],"w":-1.5e3,"last":null}`;
  for (let length = 2 ** 19 - end.length - 10; length < 2 ** 19; length++) {
    const row = Buffer.from(`{"p":"${'x'.repeat(length)}${end}`);
    assert.deepEqual(await columnsOf(row), ['p', 'k"', 'n', 'w', 'last']);
  }
});

test('Columns: a row with a key of more than 1 MiB has none', async () => {
  const name = 'é'.repeat(2 ** 19 - 1);
  assert.deepEqual(await columnsOf(Buffer.from(`{"${name}":1}`)), [name]);
  assert.equal(await columnsOf(Buffer.from(`{"${name}é":1}`)), undefined);
});

const megabyte = 2 ** 20;

for (const [what, row, names] of [
  ['escaped quotes', `{"a":"${String.raw`\"`.repeat(15 * megabyte)}","b":1}`, ['a', 'b']],
  ['backslashes', `{"a":"${'\\'.repeat(30 * megabyte)}","b":1}`, ['a', 'b']],
  ['arrays', `{"a":[${'[],'.repeat(10 * megabyte)}1],"b":1}`, ['a', 'b']],
  ['digits', `{"a":${'1'.repeat(30 * megabyte)},"b":1}`, ['a', 'b']],
] as const) {
  test(`Columns: a first row with 30 MiB of ${what} does not block other work`, async () => {
    const bytes = Buffer.from(row);
    await assertWithin(50, () =>
      longestTurnMs(async () => {
        assert.deepEqual(await columnsOf(bytes), names);
      }),
    );
  });
}
