import type { Completion } from './completion.ts';

/** The characters that show the proposals when they are typed. */
export const triggerCharacters: readonly string[] = ['.', ' ', '(', '"', '`', '['];

/** A blank shows proposals only after these words. Elsewhere the user most likely types a new name or an operator. */
const blankTrigger = /\b(?:from|join|on|select|into|update) $/i;

/** After these, only the values that a column takes are shown at once. */
const valueTrigger = /(?:[=>] |\bin ?\()$/i;

/** {@link mayShowProposals} needs this many characters before the cursor. */
export const triggerTextLength = 20;

/** Whether a typed character may show proposals, by the text up to it. A cheap check before completion. */
export const mayShowProposals = (character: string, textBefore: string): boolean =>
  character !== ' ' || blankTrigger.test(textBefore) || valueTrigger.test(textBefore);

/** A parenthesis shows the proposals of a list of names. A quote shows those of the name that it opens. */
export function showsProposals(
  character: string,
  { start, isNameList, proposals }: Completion,
  { offset, textBefore }: { readonly offset: number; readonly textBefore: string },
): boolean {
  if (valueTrigger.test(textBefore) && proposals[0]?.kind === 'expression') return true;
  if (character === '(') return isNameList;
  if (character === ' ') return blankTrigger.test(textBefore);
  return character === '.' || start === offset - 1;
}
