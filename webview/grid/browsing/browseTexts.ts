import type { BrowseView } from '../../../src/protocol/browsing.ts';
import { type BrowsingLabels, fill } from '../../../src/protocol/labels.ts';

export interface BrowsePlace {
  /** The first row in view, and the row after the last one. */
  readonly visible: readonly [first: number, end: number];
  readonly rowCount: number;
  readonly isFiltered: boolean;
  readonly language: string | undefined;
}

/** Which rows of the table are in view. */
export function placeText(
  { hasEnd }: Pick<BrowseView, 'hasEnd'>,
  { visible: [first, end], rowCount, isFiltered, language }: BrowsePlace,
  labels: BrowsingLabels,
): string {
  if (rowCount === 0 || end <= first) return '';
  const format = (number: number): string => number.toLocaleString(language);
  const label = !hasEnd ? labels.rowsOfMore : isFiltered ? labels.rowsOfFilter : labels.rowsOfAll;
  const rows = fill(label, format(first + 1), format(Math.min(end, rowCount)), format(rowCount));
  return `${rows} · ${fill(labels.offset, format(first))}`;
}

/** How many rows came twice; '' for none. */
export function repetitionText({ repeated }: BrowseView, language: string | undefined, labels: BrowsingLabels): string {
  if (repeated === 0) return '';
  return repeated === 1 ? labels.oneRepeated : fill(labels.repeated, repeated.toLocaleString(language));
}
