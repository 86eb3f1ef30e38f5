import { t } from '@vscode/l10n';
import type { ColumnFilter } from '../../../src/protocol/rowQueries.ts';

export interface FilterValues {
  readonly texts: readonly string[];
  readonly withNull?: boolean;
}

interface OperatorRow {
  readonly word: () => string;
  /** How many values it takes. One by default. */
  readonly arity?: 'none' | 'two' | 'list';
  /** The operator that accepts the other rows. */
  readonly negates?: string;
  /** Undefined without values to compare with. */
  readonly filter?: (column: number, texts: readonly string[], withNull: boolean) => ColumnFilter | undefined;
}

const ofText =
  (kind: 'equals' | 'contains' | 'startsWith' | 'endsWith') =>
  (column: number, [text = '']: readonly string[]): ColumnFilter => ({ kind, column, text });

/** In the order of the form. */
const rows = {
  equals: { word: () => '=', filter: ofText('equals') },
  notEquals: { word: () => '≠', negates: 'equals' },
  less: { word: () => '<', filter: (column, [to = '']) => ({ kind: 'range', column, to, exclusive: true }) },
  lessOrEqual: { word: () => '≤', filter: (column, [to = '']) => ({ kind: 'range', column, to }) },
  greater: { word: () => '>', filter: (column, [from = '']) => ({ kind: 'range', column, from, exclusive: true }) },
  greaterOrEqual: { word: () => '≥', filter: (column, [from = '']) => ({ kind: 'range', column, from }) },
  between: {
    word: () => t('between'),
    arity: 'two',
    filter: (column, [from = '', to = '']) =>
      from === '' && to === ''
        ? undefined
        : { kind: 'range', column, ...(from !== '' && { from }), ...(to !== '' && { to }) },
  },
  notBetween: { word: () => t('not between'), arity: 'two', negates: 'between' },
  contains: { word: () => t('contains'), filter: ofText('contains') },
  notContains: { word: () => t('does not contain'), negates: 'contains' },
  startsWith: { word: () => t('starts with'), filter: ofText('startsWith') },
  notStartsWith: { word: () => t('does not start with'), negates: 'startsWith' },
  endsWith: { word: () => t('ends with'), filter: ofText('endsWith') },
  notEndsWith: { word: () => t('does not end with'), negates: 'endsWith' },
  in: {
    word: () => t('in'),
    arity: 'list',
    filter: (column, texts, withNull) =>
      texts.length === 0 && !withNull ? undefined : { kind: 'in', column, texts, ...(withNull && { withNull }) },
  },
  notIn: { word: () => t('not in'), arity: 'list', negates: 'in' },
  null: { word: () => t('is NULL'), arity: 'none', filter: column => ({ kind: 'null', column, isNull: true }) },
  notNull: { word: () => t('is not NULL'), arity: 'none', filter: column => ({ kind: 'null', column, isNull: false }) },
} as const satisfies Readonly<Record<string, OperatorRow>>;
export type FilterOperator = keyof typeof rows;
export const filterOperators = Object.keys(rows) as FilterOperator[];

const rowOf = (operator: FilterOperator): OperatorRow => rows[operator];

export const wordOf = (operator: FilterOperator): string => rows[operator].word();

export const arityOf = (operator: FilterOperator) => rowOf(operator).arity ?? 'one';

/** The operator of a value that is typed without one. */
export const defaultOperator = (isNumeric: boolean): FilterOperator => (isNumeric ? 'equals' : 'contains');

/** Undefined without values to compare with. */
export function filterFrom(operator: FilterOperator, column: number, values: FilterValues): ColumnFilter | undefined {
  const { texts, withNull = false } = values;
  const { negates } = rowOf(operator);
  const plain = filterOperators.find(other => other === negates) ?? operator;
  const isMissing = arityOf(plain) === 'one' && (texts[0] ?? '') === '' && plain !== 'equals';
  const filter = isMissing ? undefined : rowOf(plain).filter?.(column, texts, withNull);
  return filter && filter.kind !== 'null' && negates !== undefined ? { ...filter, not: true } : filter;
}

export function operatorOf(filter: ColumnFilter): FilterOperator {
  if (filter.kind === 'null') return filter.isNull ? 'null' : 'notNull';
  if (filter.kind !== 'range') {
    const negation = filterOperators.find(operator => rowOf(operator).negates === filter.kind);
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
