import type { GridLabels } from '../../../src/protocol/labels.ts';
import { type FilterOperator, filterOperators } from './filterOperators.ts';
import type { FilterWords } from './filterText.ts';

/** The words of filters in the user's language. */
export function filterWords(labels: GridLabels): FilterWords {
  const entries = filterOperators.map(operator => [operator, labels[`operator.${operator}`]] as const);
  return {
    operators: Object.fromEntries(entries) as Record<FilterOperator, string>,
    and: labels.rangeAnd,
  };
}
