import type { Arrangement, ValueCount, ValueCounts, ValuesQuery } from '../../../protocol/rowQueries.ts';
import { isBlobType } from '../../../wire/values.ts';
import { kindOf, shownText } from './cell.ts';
import { filteredColumns, RowFilter } from './filter.ts';
import { blobFilterText } from './formats/literals.ts';
import type { Job } from '../../job.ts';
import type { RowsFile } from './rowsFile.ts';
import { TextMatcher } from './textMatcher.ts';

/** The most values that are counted. More would need too much memory, and nobody looks through them. */
const maxCounted = 100_000;
/** Nobody looks for a longer value in a list. */
const maxValueBytes = 300;

/** Counts the distinct values of a column in the rows that pass the filters of the other columns. */
export async function countValues(
  job: Job,
  file: RowsFile,
  arrangement: Arrangement,
  { column, search, maxValues }: ValuesQuery,
  rowCount: number,
): Promise<ValueCounts> {
  const others = { ...arrangement, filters: arrangement.filters.filter(filter => filter.column !== column) };
  const filtered = filteredColumns(others, file.columns);
  const { walker, slots } = file.createWalker([...filtered, column]);
  const filter = new RowFilter(others, slots, file.columns);
  const slot = slots[filtered.length]!;
  const isBlobs = isBlobType(file.columns[column]?.type ?? '');
  const matcher = new TextMatcher(search, false);
  const counts = new Map<string, number>();
  let nulls = 0;
  let isPart = false;
  await file.scan(job, {
    walker,
    endRow: rowCount,
    onRow: () => {
      if (!filter.passes(walker)) return;
      const bytes = walker.bytes as Buffer;
      const from = slot === -1 ? -1 : walker.from[slot]!;
      if (kindOf(bytes, from) === 'null') {
        nulls++;
        return;
      }
      const to = walker.to[slot]!;
      const flags = walker.flags[slot]!;
      if (search !== '' && !matcher.matches(bytes, from, to, flags)) return;
      if (to - from > maxValueBytes) {
        isPart = true;
        return;
      }
      const shown = shownText(bytes, from, to, flags) ?? '';
      const text = isBlobs && kindOf(bytes, from) === 'text' ? blobFilterText(shown) : shown;
      const count = counts.get(text);
      if (count === undefined && counts.size >= maxCounted) isPart = true;
      else counts.set(text, (count ?? 0) + 1);
    },
  });
  const all: ValueCount[] = Array.from(counts, ([text, count]) => ({ text, count }));
  if (nulls > 0 && search === '') all.push({ text: null, count: nulls });
  const values = all.toSorted(byCount).slice(0, maxValues);
  return { values, ...((isPart || values.length < all.length) && { hasMore: true }) };
}

/** The most frequent values come first, equally frequent ones in the order of numbers and texts. */
export function byCount(one: ValueCount, other: ValueCount): number {
  return other.count - one.count || collator.compare(one.text ?? '', other.text ?? '');
}

const collator = new Intl.Collator('en', { numeric: true });
