import * as vscode from 'vscode';
import { cutText } from '../../base/oneLine.ts';
import type { OwnValue } from '../../model/editing/conflicts.ts';
import type { EditValue } from '../../protocol/editValues.ts';
import { editText } from './editText.ts';

/** The length of a value's text. A longer value is shown from shortly before its first difference. */
const maxShownLength = 60;
/** The characters in front of a difference, by which the user finds it. An even number: a byte has two digits. */
const leadLength = 12;

interface ConflictValues {
  readonly base: EditValue;
  readonly theirs: EditValue;
  readonly mine: OwnValue;
}

interface ConflictTexts {
  readonly before: string;
  readonly now: string;
  readonly yours: string;
}

/** The values of a conflict for people. Values that differ look different, also when they are long and begin alike. */
export function conflictTexts({ base, theirs, mine }: ConflictValues): ConflictTexts {
  const textOf = (value: EditValue): string => {
    const others = [base, theirs, mine].filter(other => other.kind === value.kind);
    return comparedText(value, others as readonly EditValue[]);
  };
  const action = mine.kind === 'deleted' ? vscode.l10n.t('row deleted') : vscode.l10n.t('other cells edited');
  return {
    before: textOf(base),
    now: textOf(theirs),
    yours: mine.kind === 'deleted' || mine.kind === 'unedited' ? action : textOf(mine),
  };
}

function comparedText(value: EditValue, others: readonly EditValue[]): string {
  const text = longText(value);
  if (text.length <= maxShownLength) return editText(value, maxShownLength);
  const differences = others
    .map(longText)
    .filter(other => other !== text)
    .map(other => firstDifference(text, other));
  // Two of three values may be alike until far after the difference to the third.
  const shown = excerpt(text, Math.min(...differences, text.length), Math.max(...differences, 0));
  return value.kind === 'blob' ? `x'${shown}'` : `'${shown}'`;
}

/** The text of a value that may be long. Numbers are not. */
function longText(value: EditValue): string {
  if (value.kind === 'text') return value.text;
  return value.kind === 'blob' ? value.hex : '';
}

function firstDifference(one: string, other: string): number {
  const end = Math.min(one.length, other.length);
  let index = 0;
  while (index < end && one.charCodeAt(index) === other.charCodeAt(index)) index++;
  return index;
}

/** The parts of a text in which two differences are: one part if they are near each other. */
function excerpt(text: string, first: number, last: number): string {
  const start = startBefore(first);
  if (last < start + maxShownLength - leadLength) return partOf(text, start, maxShownLength);
  const length = maxShownLength / 2;
  // The first part ends with the ellipsis that the second one begins with.
  return `${partOf(text, start, length)}${partOf(text, startBefore(last), length).slice(1)}`;
}

/** The start of the text itself, if the difference is near it. */
const startBefore = (difference: number): number =>
  difference <= 2 * leadLength ? 0 : difference - (difference % 2) - leadLength;

/** A part of a text, with an ellipsis where something is missing. No character is cut in half. */
function partOf(text: string, start: number, length: number): string {
  const part = cutText(text.slice(start).replace(/^[\uDC00-\uDFFF]/, ''), length);
  return start === 0 ? part : `…${part}`;
}
