import { misuse } from '../../../../base/errors.ts';
import type { GroupQuery } from '../../../../protocol/groups.ts';
import type { Job } from '../../../job.ts';
import { type RowsFile, scanInFileOrder, type ShownRows } from '../rowsFile.ts';
import { CellValue, compareValues } from './cellValue.ts';
import { figureCounter } from './groupFigure.ts';
import { takePeriod } from './period.ts';
import { ValueTable } from './valueTable.ts';

const maxGroups = 500_000;
const maxKeyBytes = 128 * 1024 * 1024;

interface Group {
  readonly keys: readonly CellValue[];
  /** The figures as JSON. */
  readonly figures: readonly (string | Uint8Array)[];
}

/** The groups of the rows shown, in the order of their keys. */
export async function groupRows(
  job: Job,
  file: RowsFile,
  shown: ShownRows,
  { keys, figures }: GroupQuery,
): Promise<Iterable<Group>> {
  const numbers = [...keys, ...figures].map(({ column = 0 }) => column);
  const { walker, slots } = file.createWalker(numbers);
  const limits = { maxValues: maxGroups, maxBytes: maxKeyBytes / keys.length };
  const tables = keys.map(() => new ValueTable(limits));
  const counters = figures.map(({ kind }, nth) => ({ counter: figureCounter(kind), slot: slots[keys.length + nth]! }));
  const counted = [...Map.groupBy(counters, ({ slot }) => slot)];
  /** The numbers of the values of each group. */
  const groups: number[][] = [];
  const groupOf = new Map<number | string, number>();
  const value = new CellValue();
  const values = keys.map(() => 0);
  await scanInFileOrder(job, file, shown, {
    walker,
    firstRow: 0,
    endRow: shown.rowCount,
    onRow: () => {
      for (let nth = 0; nth < keys.length; nth++) {
        value.read(walker, slots[nth]!);
        const { period } = keys[nth]!;
        if (period) takePeriod(value, period);
        values[nth] = tables[nth]!.indexOf(value);
        if (values[nth] === -1) throw tooManyGroups();
      }
      const key = values.length === 1 ? values[0]! : values.join();
      let group = groupOf.get(key);
      if (group === undefined) {
        if (groups.length === maxGroups) throw tooManyGroups();
        group = groups.push([...values]) - 1;
        groupOf.set(key, group);
      }
      for (const [slot, ofColumn] of counted) {
        value.read(walker, slot);
        for (const { counter } of ofColumn) counter.add(group, value);
      }
    },
  });
  const keysOf = groups.map(group => group.map((index, nth) => tables[nth]!.values[index]!));
  const order = [...keysOf.keys()].toSorted((one, other) => compareKeys(keysOf[one]!, keysOf[other]!));
  return order
    .values()
    .map(group => ({ keys: keysOf[group]!, figures: counters.map(({ counter }) => counter.json(group)) }));
}

function compareKeys(one: readonly CellValue[], other: readonly CellValue[]): number {
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
