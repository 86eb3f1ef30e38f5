import type { ColumnFilter } from '../../../src/protocol/rowQueries.ts';

/** The operators of filters as a user chooses them. */
export const filterOperators = [
  'equals',
  'notEquals',
  'less',
  'lessOrEqual',
  'greater',
  'greaterOrEqual',
  'between',
  'notBetween',
  'contains',
  'notContains',
  'startsWith',
  'notStartsWith',
  'endsWith',
  'notEndsWith',
  'in',
  'notIn',
  'null',
  'notNull',
] as const;
export type FilterOperator = (typeof filterOperators)[number];

/** The kind of operand that an operator compares with. */
export interface FilterValues {
  readonly texts: readonly string[];
  /** Whether a list names NULL. */
  readonly withNull?: boolean;
}

/** How many values an operator takes. */
export function arityOf(operator: FilterOperator): 'none' | 'one' | 'two' | 'list' {
  switch (operator) {
    case 'null':
    case 'notNull':
      return 'none';
    case 'between':
    case 'notBetween':
      return 'two';
    case 'in':
    case 'notIn':
      return 'list';
    default:
      return 'one';
  }
}

/** The operator for values that are typed without one. */
export const defaultOperator = (isNumeric: boolean): FilterOperator => (isNumeric ? 'equals' : 'contains');

/** The filter of an operator. Undefined if it has no values to compare with. */
export function filterFrom(
  operator: FilterOperator,
  column: number,
  { texts, withNull = false }: FilterValues,
): ColumnFilter | undefined {
  const [text = '', second = ''] = texts;
  const needsText = text === '' && operator !== 'equals' && operator !== 'notEquals';
  const not = { not: true } as const;
  switch (operator) {
    case 'equals':
      return { kind: 'equals', column, text };
    case 'notEquals':
      return { kind: 'equals', column, text, ...not };
    case 'null':
      return { kind: 'null', column, isNull: true };
    case 'notNull':
      return { kind: 'null', column, isNull: false };
    case 'in':
    case 'notIn':
      if (texts.length === 0 && !withNull) return undefined;
      return { kind: 'in', column, texts, ...(withNull && { withNull }), ...(operator === 'notIn' && not) };
    case 'between':
    case 'notBetween':
      if (text === '' && second === '') return undefined;
      return {
        kind: 'range',
        column,
        ...(text !== '' && { from: text }),
        ...(second !== '' && { to: second }),
        ...(operator === 'notBetween' && not),
      };
    default:
      return needsText ? undefined : oneTextFilter(operator, column, text);
  }
}

type OneTextOperator = Exclude<
  FilterOperator,
  'equals' | 'notEquals' | 'null' | 'notNull' | 'in' | 'notIn' | 'between' | 'notBetween'
>;

function oneTextFilter(operator: OneTextOperator, column: number, text: string): ColumnFilter {
  switch (operator) {
    case 'less':
      return { kind: 'range', column, to: text, exclusive: true };
    case 'lessOrEqual':
      return { kind: 'range', column, to: text };
    case 'greater':
      return { kind: 'range', column, from: text, exclusive: true };
    case 'greaterOrEqual':
      return { kind: 'range', column, from: text };
    case 'contains':
    case 'startsWith':
    case 'endsWith':
      return { kind: operator, column, text };
    case 'notContains':
      return { kind: 'contains', column, text, not: true };
    case 'notStartsWith':
      return { kind: 'startsWith', column, text, not: true };
    case 'notEndsWith':
      return { kind: 'endsWith', column, text, not: true };
  }
}

const negations = {
  equals: 'notEquals',
  contains: 'notContains',
  startsWith: 'notStartsWith',
  endsWith: 'notEndsWith',
  in: 'notIn',
} as const;

export function operatorOf(filter: ColumnFilter): FilterOperator {
  if (filter.kind === 'null') return filter.isNull ? 'null' : 'notNull';
  if (filter.kind !== 'range') return filter.not ? negations[filter.kind] : filter.kind;
  const { from, to, exclusive, not } = filter;
  if (from !== undefined && to !== undefined) return not ? 'notBetween' : 'between';
  if (from !== undefined) return not ? 'less' : exclusive ? 'greater' : 'greaterOrEqual';
  return not ? 'greater' : exclusive ? 'less' : 'lessOrEqual';
}

export function valuesOf(filter: ColumnFilter): FilterValues {
  switch (filter.kind) {
    case 'null':
      return { texts: [] };
    case 'in':
      return { texts: filter.texts, withNull: filter.withNull === true };
    case 'range':
      return { texts: [filter.from, filter.to].filter(text => text !== undefined) };
    default:
      return { texts: [filter.text] };
  }
}
