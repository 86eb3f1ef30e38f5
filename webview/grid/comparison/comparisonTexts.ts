import { t } from '@vscode/l10n';
import { formatMoment } from '../../../src/base/timeOfDay.ts';
import type { Comparison, ComparisonSource } from '../../../src/protocol/results.ts';
import { pageLanguage } from '../../ui/host.ts';
import { formatCount, rowsLabel } from '../../ui/counts.ts';
import { visibleText } from '../../ui/visibleText.ts';

/** A kind of rows: its name in the first column, and its label. */
export const kindLabels = {
  added: () => t('added'),
  removed: () => t('removed'),
  changed: () => t('changed'),
  duplicates: () => t('with a duplicate key'),
  same: () => t('the same'),
} as const;

/** The state of the comparison, or how many rows differ. */
export function comparisonFigures({ readRows, share, summary }: Comparison): string[] {
  if (share !== undefined) return [t('{0} % compared', formatCount(Math.floor(share * 100)))];
  if (!summary) return readRows ? [rowsLabel(readRows)] : [];
  const kinds = (Object.keys(kindLabels) as (keyof typeof kindLabels)[]).filter(
    kind => kind !== 'duplicates' || summary.duplicates > 0,
  );
  return [kinds.map(kind => `${formatCount(summary[kind])} ${kindLabels[kind]()}`).join(', ')];
}

/** Names both sources with their times, and how their rows are matched. */
export function comparisonSubject({ before, after, key }: Comparison): string {
  const matched =
    key.length === 0 ? t('compared as whole rows') : t('by {0}', key.map(name => visibleText(name)).join(', '));
  return `${t('Before: {0}', sourceText(before))} · ${t('After: {0}', sourceText(after))} · ${matched}`;
}

function sourceText({ name, at, isPart }: ComparisonSource): string {
  const time = at === undefined ? '' : ` (${formatMoment(at, Date.now(), pageLanguage())})`;
  return `${visibleText(name)}${time}${isPart ? ` ${t('– only the rows that were read')}` : ''}`;
}
