import { isSameName, keyOf } from '../../sql/text/names.ts';
import type { GeneratedTable, UniqueKey } from './generatedTable.ts';
import type { GrowingRow, Slot } from './slots.ts';
import { RowRandom } from './random.ts';

interface DistinctKey {
  readonly slots: readonly Slot[];
  /** Puts the next values into the row. False if there are no more. */
  putNext(row: GrowingRow, random: RowRandom): boolean;
}

/** More combinations are not counted: random ones seldom collide. */
const maxCombinations = 2 ** 40;

/**
 * For each key of the table, the slot or slots that make its rows differ. A key with a column that allows any number of values
 * needs only that one. The combinations of a key whose columns all have few values are counted through.
 */
export function distinctKeysOf(table: GeneratedTable, slots: readonly Slot[], seed: number): DistinctKey[] {
  const distinct: DistinctKey[] = [];
  const isDistinct = (slot: Slot): boolean => distinct.some(key => key.slots.includes(slot));
  const keys = table.uniqueKeys.toSorted((one, other) => one.columns.length - other.columns.length);
  for (const key of keys) {
    const own = slots.filter(slot => slot.columns.some(name => hasColumn(key, name)));
    const isWritten = key.columns.every(({ name }) =>
      own.some(slot => slot.columns.some(other => isSameName(other, name))),
    );
    // A key with a computed column is left to trial.
    if (!isWritten || distinct.some(other => other.slots.every(slot => own.includes(slot)))) continue;
    const open = own.find(slot => slot.size === undefined && slot.columns.length === 1);
    if (open) {
      distinct.push(numberedKey(open));
      continue;
    }
    const isWhole = own.every(slot => slot.columns.every(name => hasColumn(key, name)));
    const count = own.reduce((product, slot) => product * (slot.size ?? 1), 1);
    const isCountable = isWhole && count <= maxCombinations && own.every(slot => slot.size !== undefined);
    if (isCountable && !own.some(isDistinct)) distinct.push(countedKey(own, count, seed));
  }
  return distinct;
}

const hasColumn = (key: UniqueKey, name: string): boolean =>
  key.columns.some(column => keyOf(column.name) === keyOf(name));

function numberedKey(slot: Slot): DistinctKey {
  let number = 0;
  return {
    slots: [slot],
    putNext: (row, random) => {
      slot.putDistinct(row, number++, random);
      return true;
    },
  };
}

/** Goes through all combinations once, in steps that look random. */
function countedKey(slots: readonly Slot[], count: number, seed: number): DistinctKey {
  const random = new RowRandom(seed, -1, count % 2 ** 31);
  const start = random.upTo(count);
  let step = Math.max(1, Math.floor(count * 0.618));
  while (greatestDivisor(step, count) !== 1) step++;
  let taken = 0;
  let at = start;
  return {
    slots,
    putNext: row => {
      if (taken++ >= count) return false;
      let rest = at;
      for (const slot of slots) {
        slot.putAt(row, rest % slot.size!);
        rest = Math.floor(rest / slot.size!);
      }
      at = (at + step) % count;
      return true;
    },
  };
}

function greatestDivisor(one: number, other: number): number {
  let divisor = one;
  let rest = other;
  while (rest > 0) {
    const next = divisor % rest;
    divisor = rest;
    rest = next;
  }
  return divisor;
}
