import { keywordList } from '../text/keywordList.ts';
import { keyOf } from '../text/names.ts';
import type { NamesRequest } from './namesRequest.ts';

/** A longer alias saves nothing. */
const maxLength = 4;

/** Proposes a short alias for a table in FROM, such as `ol` for order_lines. */
export function proposeAlias({ proposals, name, scope, typed }: NamesRequest): void {
  const table = name.parent?.parent?.node;
  if (table?.type !== 'TableSelectTable') return;
  const initials = initialsOf(table.tblName.objName.text);
  if (initials === '') return;
  const taken = new Set((scope.fromSources ?? []).map(({ alias }) => keyOf(alias)));
  const isFree = (alias: string): boolean => !taken.has(alias) && !keywordList.has(alias.toUpperCase());
  const alias = [initials, ...Array.from({ length: 9 }, (_, number) => `${initials}${number + 2}`)].find(isFree);
  if (alias === undefined) return;
  // If nothing is typed, most tables are followed by another clause.
  const isExpected = typed !== '' || name.parent?.node.type === 'AsAs';
  proposals.addName('alias', alias, isExpected ? 'join' : 'other', { origin: table.tblName.objName.text });
}

/** The first letters of a name's words, in lower case: `ol` for order_lines and for orderLines. */
export function initialsOf(name: string): string {
  const words = name.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? [];
  return words
    .slice(0, maxLength)
    .map(word => word.charAt(0).toLowerCase())
    .join('');
}
