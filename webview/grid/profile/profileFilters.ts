import type { ProfileBar } from '../../../src/protocol/profile.ts';
import type { ColumnFilter } from '../../../src/protocol/rowQueries.ts';

export const hasBar = (filter: ColumnFilter | undefined, { from, to }: ProfileBar): boolean =>
  filter?.kind === 'range' && !filter.not && !filter.exclusive && filter.from === from && filter.to === to;

/** The filter after a click on a bar: a second click takes it back. */
export const toggleBar = (
  filter: ColumnFilter | undefined,
  column: number,
  bar: ProfileBar,
): ColumnFilter | undefined =>
  hasBar(filter, bar) ? undefined : { kind: 'range', column, from: bar.from, to: bar.to, numbers: true };

/** Null is NULL. */
export function hasValue(filter: ColumnFilter | undefined, text: string | null): boolean {
  if (filter?.kind !== 'in' || filter.not) return false;
  return text === null ? filter.withNull === true : filter.texts.includes(text);
}

interface ListedValues {
  readonly texts: readonly string[];
  readonly withNull?: true;
}

/** The filter after a click on a value: it is added to the listed ones, and a second click takes it back. */
export function toggleValue(
  filter: ColumnFilter | undefined,
  column: number,
  text: string | null,
): ColumnFilter | undefined {
  const list = filter?.kind === 'in' && !filter.not ? filter : undefined;
  const { texts, withNull }: ListedValues = list ?? { texts: [] };
  const keepsNull = text === null ? withNull !== true : withNull === true;
  const kept = texts.filter(other => other !== text);
  const listed = text === null || texts.includes(text) ? kept : [...kept, text];
  if (listed.length === 0 && !keepsNull) return undefined;
  return { kind: 'in', column, texts: listed, ...(keepsNull && { withNull: true }) };
}
