import type { Proposal } from './proposals.ts';

/** Nobody reads a longer list, and the editor would take long to sort it. */
const maxProposals = 500;

/** Cuts a list that is too long. The best matches come first, and labels that no editor would match are left out. */
export function boundedList(
  list: readonly Proposal[],
  typed: string,
): { readonly list: readonly Proposal[]; readonly isCut: boolean } {
  if (list.length <= maxProposals) return { list, isCut: false };
  const lower = typed.toLowerCase();
  const byMatch: Proposal[][] = [[], [], []];
  for (const proposal of list) {
    const rank = matchRank(proposal.label.toLowerCase(), lower);
    if (rank !== undefined) byMatch[rank]!.push(proposal);
  }
  return { list: byMatch.flat().slice(0, maxProposals), isCut: true };
}

/** 0 for a label that begins with the typed word, 1 if it contains the word, 2 if an editor would still match it. */
export function matchRank(label: string, typed: string): number | undefined {
  const index = label.indexOf(typed);
  if (index !== -1) return Math.min(index, 1);
  return hasLettersInOrder(label, typed) ? 2 : undefined;
}

/** Whether an editor would match a typed word with a label. Both are in lower case. */
export function hasLettersInOrder(label: string, letters: string): boolean {
  let position = 0;
  for (const letter of letters) {
    position = label.indexOf(letter, position) + 1;
    if (position === 0) return false;
  }
  return true;
}
