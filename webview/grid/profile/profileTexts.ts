import { t } from '@vscode/l10n';
import type { ColumnProfile } from '../../../src/protocol/profile.ts';
import { formatCount } from '../../ui/counts.ts';
import { pageLanguage } from '../../ui/host.ts';

/** An estimate says so. */
export const distinctText = ({ figures: { distinct }, isDistinctAbout }: ColumnProfile): string =>
  isDistinctAbout ? t('about {0}', formatCount(distinct)) : formatCount(distinct);

export function shareText(part: number, whole: number): string {
  const share = whole === 0 ? 0 : part / whole;
  // A few NULLs must not look like none.
  const isTiny = share > 0 && share < 0.001;
  const text = (isTiny ? 0.001 : share).toLocaleString(pageLanguage(), { style: 'percent', maximumFractionDigits: 1 });
  return isTiny ? `< ${text}` : text;
}

/** The figures of a column, with their names. */
export function profileFigures(profile: ColumnProfile): (readonly [name: string, value: string])[] {
  const { figures, texts, blobs, median, shortest, longest } = profile;
  const { cells, nulls, numbers, min, max, average } = figures;
  const classes = [
    [t('Numbers'), numbers],
    [t('Texts'), texts],
    [t('BLOBs'), blobs],
  ] as const;
  const present = classes.filter(([, count]) => count > 0);
  const named: (readonly [string, string | undefined])[] = [
    [t('Rows'), formatCount(cells)],
    ['NULL', `${formatCount(nulls)} (${shareText(nulls, cells)})`],
    [t('Different values'), distinctText(profile)],
    // A column of one storage class needs no counts of them.
    ...(present.length > 1 ? present.map(([name, count]) => [name, formatCount(count)] as const) : []),
    [t('Minimum'), min],
    [t('Maximum'), max],
    [t('Mean'), average],
    [t('Median'), median],
    [t('Shortest text'), shortest === undefined ? undefined : formatCount(shortest)],
    [t('Longest text'), longest === undefined ? undefined : formatCount(longest)],
  ];
  return named.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
}
