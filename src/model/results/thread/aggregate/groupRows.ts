import { misuse } from '../../../../base/errors.ts';
import type { GroupQuery } from '../../../../protocol/groups.ts';
import type { Job } from '../../../job.ts';
import { type RowsFile, scanInFileOrder, type ShownRows } from '../rowsFile.ts';
import { CellValue, compareValues, type KeptValue } from './cellValue.ts';
import { figureCounter } from './groupFigure.ts';
import { takePeriod } from './period.ts';
import { ValueTable } from './valueTable.ts';

const maxGroups = 500_000;
const maxKeyBytes = 128 * 1024 * 1024;

export interface Group {
  readonly keys: readonly KeptValue[];
  /** The figures as JSON. */
  readonly figures: readonly (string | Uint8Array)[];
}

/** The groups of the rows shown, in the order of their keys. */
export async function groupRows(
  job: Job,
  file: RowsFile,
  shown: ShownRows,
  query: GroupQuery,
): Promise<Iterable<Group>> {
  const { keys, figures } = query;
  const numbers = [...keys, ...figures].map(({ column = 0 }) => column);
  const { walker, slots } = file.createWalker(numbers);
  const groups = new GroupKeys(keys.length);
  const value = new CellValue();
  const counters = figures.map(({ kind }, nth) => ({ counter: figureCounter(kind), slot: slots[keys.length + nth]! }));
  await scanInFileOrder(job, file, shown, {
    walker,
    firstRow: 0,
    endRow: shown.rowCount,
    onRow: () => {
      let group = 0;
      for (const [nth, { period }] of keys.entries()) {
        value.read(walker, slots[nth]!);
        if (period) takePeriod(value, period);
        group = groups.take(nth, group, value);
      }
      for (const { counter, slot } of counters) {
        value.read(walker, slot);
        counter.add(group, value);
      }
    },
  });
  const count = keys.length === 0 ? Math.min(shown.rowCount, 1) : groups.count;
  const order = groups.sorted(count);
  return order.values().map(group => ({
    keys: groups.keysOf(group),
    figures: counters.map(({ counter }) => counter.json(group)),
  }));
}

/** Numbers the groups. A group of several keys is a pair: a group of all keys but the last, and a value of the last. */
class GroupKeys {
  readonly #tables: readonly ValueTable[];
  readonly #pairs: readonly Map<number, number>[];
  /** For each group of the first keys and one more: the group of the first, and the value of the other. */
  readonly #parents: readonly { readonly group: number; readonly value: number }[][];

  constructor(keyCount: number) {
    const nths = Array.from({ length: keyCount }, (_, nth) => nth);
    const limits = { maxValues: maxGroups, maxBytes: maxKeyBytes / Math.max(1, keyCount) };
    this.#tables = nths.map(() => new ValueTable(limits));
    this.#pairs = nths.map(() => new Map());
    this.#parents = nths.map(() => []);
  }

  get count(): number {
    return this.#tables.length === 1 ? this.#tables[0]!.values.length : (this.#parents.at(-1)?.length ?? 0);
  }

  /** The group of the first keys, from their group without the last one and its value. */
  take(nth: number, group: number, value: CellValue): number {
    const index = this.#tables[nth]!.indexOf(value);
    if (index === -1) throw tooManyGroups();
    if (nth === 0) return index;
    const pair = group * maxGroups + index;
    const known = this.#pairs[nth]!.get(pair);
    if (known !== undefined) return known;
    const parents = this.#parents[nth]!;
    if (parents.length === maxGroups) throw tooManyGroups();
    const added = parents.push({ group, value: index }) - 1;
    this.#pairs[nth]!.set(pair, added);
    return added;
  }

  keysOf(group: number): KeptValue[] {
    const keys: KeptValue[] = [];
    let rest = group;
    for (let nth = this.#tables.length - 1; nth > 0; nth--) {
      const parent = this.#parents[nth]![rest]!;
      keys.unshift(this.#tables[nth]!.values[parent.value]!);
      rest = parent.group;
    }
    return this.#tables.length === 0 ? [] : [this.#tables[0]!.values[rest]!, ...keys];
  }

  sorted(count: number): number[] {
    const keys = Array.from({ length: count }, (_, group) => this.keysOf(group));
    return [...keys.keys()].toSorted((one, other) => compareKeys(keys[one]!, keys[other]!));
  }
}

function compareKeys(one: readonly KeptValue[], other: readonly KeptValue[]): number {
  for (const [nth, key] of one.entries()) {
    const difference = compareValues(key, other[nth]!);
    if (difference !== 0) return difference;
  }
  return 0;
}

const tooManyGroups = (): Error =>
  misuse(
    'too_many_groups',
    `There are more than ${maxGroups} groups, or their values are too long. Group by fewer columns, or copy the grouping as SQL.`,
  );
