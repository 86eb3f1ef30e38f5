import { fill, type GridLabels } from '../../../src/protocol/labels.ts';
import type { ColumnFilter } from '../../../src/protocol/rowQueries.ts';

/** A filter in words, for a chip. */
export function sentenceOf(filter: ColumnFilter, column: string, labels: GridLabels): string {
  switch (filter.kind) {
    case 'contains':
      return fill(labels.chipContains, column, filter.text);
    case 'equals':
      return fill(labels.chipEquals, column, filter.text);
    case 'null':
      return fill(filter.isNull ? labels.chipNull : labels.chipNotNull, column);
    case 'range':
      if (filter.to === undefined) return fill(labels.chipFrom, column, filter.from ?? '');
      if (filter.from === undefined) return fill(labels.chipTo, column, filter.to);
      return fill(labels.chipRange, column, filter.from, filter.to);
  }
}
