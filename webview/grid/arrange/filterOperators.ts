import { t } from '@vscode/l10n';
import type { ColumnFilter } from '../../../src/protocol/rowQueries.ts';

/** The words for the operators, in the order of the form. */
const words = {
  equals: () => '=',
  notEquals: () => '≠',
  less: () => '<',
  lessOrEqual: () => '≤',
  greater: () => '>',
  greaterOrEqual: () => '≥',
  between: () => t('between'),
  notBetween: () => t('not between'),
  contains: () => t('contains'),
  notContains: () => t('does not contain'),
  startsWith: () => t('starts with'),
  notStartsWith: () => t('does not start with'),
  endsWith: () => t('ends with'),
  notEndsWith: () => t('does not end with'),
  in: () => t('in'),
  notIn: () => t('not in'),
  null: () => t('is NULL'),
  notNull: () => t('is not NULL'),
} as const;
export type FilterOperator = keyof typeof words;
export const filterOperators = Object.keys(words) as FilterOperator[];

export const wordOf = (operator: FilterOperator): string => words[operator]();

export interface FilterValues {
  readonly texts: readonly string[];
  readonly withNull?: boolean;
}

const otherArities: Readonly<Partial<Record<FilterOperator, 'none' | 'two' | 'list'>>> = {
  null: 'none',
  notNull: 'none',
  between: 'two',
  notBetween: 'two',
  in: 'list',
  notIn: 'list',
};

export const arityOf = (operator: FilterOperator) => otherArities[operator] ?? 'one';

/** The operator of a value that is typed without one. */
export const defaultOperator = (isNumeric: boolean): FilterOperator => (isNumeric ? 'equals' : 'contains');

const negatedOperators: Readonly<Partial<Record<FilterOperator, FilterOperator>>> = {
  notEquals: 'equals',
  notBetween: 'between',
  notContains: 'contains',
  notStartsWith: 'startsWith',
  notEndsWith: 'endsWith',
  notIn: 'in',
};

/** Undefined without values to compare with. */
export function filterFrom(operator: FilterOperator, column: number, values: FilterValues): ColumnFilter | undefined {
  const negated = negatedOperators[operator];
  const filter = plainFilter(negated ?? operator, column, values);
  return filter && filter.kind !== 'null' && negated ? { ...filter, not: true } : filter;
}

function plainFilter(
  operator: FilterOperator,
  column: number,
  { texts, withNull = false }: FilterValues,
): ColumnFilter | undefined {
  const [text = '', second = ''] = texts;
  if (arityOf(operator) === 'one' && text === '' && operator !== 'equals') return undefined;
  switch (operator) {
    case 'equals':
    case 'contains':
    case 'startsWith':
    case 'endsWith':
      return { kind: operator, column, text };
    case 'less':
      return { kind: 'range', column, to: text, exclusive: true };
    case 'lessOrEqual':
      return { kind: 'range', column, to: text };
    case 'greater':
      return { kind: 'range', column, from: text, exclusive: true };
    case 'greaterOrEqual':
      return { kind: 'range', column, from: text };
    case 'null':
      return { kind: 'null', column, isNull: true };
    case 'notNull':
      return { kind: 'null', column, isNull: false };
    case 'in':
      if (texts.length === 0 && !withNull) return undefined;
      return { kind: 'in', column, texts, ...(withNull && { withNull }) };
    case 'between':
      if (text === '' && second === '') return undefined;
      return { kind: 'range', column, ...(text !== '' && { from: text }), ...(second !== '' && { to: second }) };
    default:
      return undefined;
  }
}

export function operatorOf(filter: ColumnFilter): FilterOperator {
  if (filter.kind === 'null') return filter.isNull ? 'null' : 'notNull';
  if (filter.kind !== 'range') {
    const negation = filterOperators.find(operator => negatedOperators[operator] === filter.kind);
    return filter.not && negation ? negation : filter.kind;
  }
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
