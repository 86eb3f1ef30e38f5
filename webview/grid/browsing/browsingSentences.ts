import { type BrowsingLabels, fill } from '../../../src/protocol/labels.ts';
import type { BrowseView } from '../../../src/protocol/browsing.ts';

export interface Standing {
  /** The rows in view: from the first to before the second. */
  readonly visible: readonly [number, number];
  readonly rowCount: number;
  readonly isFiltered: boolean;
  readonly language: string | undefined;
}

/** Where in the table the view stands. */
export function standingOf(
  { hasEnd }: Pick<BrowseView, 'hasEnd'>,
  { visible: [first, end], rowCount, isFiltered, language }: Standing,
  labels: BrowsingLabels,
): string {
  if (rowCount === 0 || end <= first) return '';
  const sentence = !hasEnd ? labels.rowsOfMore : isFiltered ? labels.rowsOfFilter : labels.rowsOfAll;
  const [from, to, all, offset] = [first + 1, Math.min(end, rowCount), rowCount, first].map(number =>
    number.toLocaleString(language),
  );
  return `${fill(sentence, from!, to!, all!)} · ${fill(labels.offset, offset!)}`;
}

/** That rows came twice; nothing while none is known of. */
export function repetitionOf({ repeated }: BrowseView, language: string | undefined, labels: BrowsingLabels): string {
  if (repeated === 0) return '';
  return repeated === 1 ? labels.oneRepeated : fill(labels.repeated, repeated.toLocaleString(language));
}
