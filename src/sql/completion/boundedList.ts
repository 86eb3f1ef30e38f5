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
    const label = proposal.label.toLowerCase();
    if (label.startsWith(lower)) byMatch[0]!.push(proposal);
    else if (label.includes(lower)) byMatch[1]!.push(proposal);
    else if (hasLettersInOrder(label, lower)) byMatch[2]!.push(proposal);
  }
  return { list: byMatch.flat().slice(0, maxProposals), isCut: true };
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
