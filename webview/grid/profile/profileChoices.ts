import { t } from '@vscode/l10n';
import type { ColumnProfile } from '../../../src/protocol/profile.ts';
import type { ColumnFilter } from '../../../src/protocol/rowQueries.ts';
import { visibleText } from '../../ui/visibleText.ts';

/** Rows that a person may choose: those with the numbers of a bar, or with a value. */
export interface ProfileChoice {
  readonly label: string;
  readonly count: number;
  readonly isChosenBy: (filter: ColumnFilter | undefined) => boolean;
  /** The filter after a click: a second click takes the choice back. */
  readonly toggle: (filter: ColumnFilter | undefined) => ColumnFilter | undefined;
}

/** The histogram of the numbers. */
export function barChoices({ column, bars }: ColumnProfile): ProfileChoice[] {
  return bars.map(({ from, to, count }) => {
    const isChosenBy = (filter: ColumnFilter | undefined): boolean =>
      filter?.kind === 'range' && !filter.not && !filter.exclusive && filter.from === from && filter.to === to;
    return {
      label: from === to ? from : t('{0} to {1}', from, to),
      count,
      isChosenBy,
      toggle: filter => (isChosenBy(filter) ? undefined : { kind: 'range', column, from, to, numbers: true }),
    };
  });
}

/** The most frequent values. A choice adds to those that are chosen. */
export function valueChoices({ column, top }: ColumnProfile): ProfileChoice[] {
  return (top?.values ?? []).map(({ text, count }) => ({
    label: text === null ? 'NULL' : text === '' ? t('(empty)') : visibleText(text),
    count,
    isChosenBy: filter => chosenValues(filter).has(text),
    toggle: filter => {
      const chosen = chosenValues(filter);
      if (!chosen.delete(text)) chosen.add(text);
      const texts = [...chosen].filter(value => value !== null);
      return chosen.size === 0 ? undefined : { kind: 'in', column, texts, ...(chosen.has(null) && { withNull: true }) };
    },
  }));
}

/** Null is NULL. */
function chosenValues(filter: ColumnFilter | undefined): Set<string | null> {
  if (filter?.kind !== 'in' || filter.not) return new Set();
  return new Set([...filter.texts, ...(filter.withNull ? [null] : [])]);
}
