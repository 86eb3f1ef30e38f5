import type { Scope } from '../scope/scope.ts';
import { keywordList } from '../text/keywordList.ts';
import { keyOf } from '../text/names.ts';
import type { NamesRequest } from './proposals.ts';

/** A longer alias saves nothing. */
const maxLength = 4;

/** Proposes a short alias for a table in FROM, such as `ol` for order_lines. */
export function proposeAlias({ proposals, name, scope, typed }: NamesRequest): void {
  const table = name.parent?.parent?.node;
  if (table?.type !== 'TableSelectTable') return;
  const alias = freeAlias(table.tblName.objName.text, scope);
  if (alias === undefined) return;
  // If nothing is typed, most tables are followed by another clause.
  const isExpected = typed !== '' || name.parent?.node.type === 'AsAs';
  proposals.addName('alias', alias, isExpected ? 'join' : 'other', { origin: table.tblName.objName.text });
}

/** A short alias for a table that no visible source has. Undefined for a name without letters. */
export function freeAlias(table: string, { fromSources = [], levels }: Scope): string | undefined {
  const initials = initialsOf(table);
  if (initials === '') return undefined;
  const taken = new Set([...fromSources, ...levels.flat()].map(({ alias }) => keyOf(alias)));
  const isFree = (alias: string): boolean => !taken.has(alias) && !keywordList.has(alias.toUpperCase());
  return [initials, ...Array.from({ length: 9 }, (_, number) => `${initials}${number + 2}`)].find(isFree);
}

/** The first letters of a name's words, in lower case: `ol` for order_lines and for orderLines. */
export function initialsOf(name: string): string {
  const words = name.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? [];
  return words
    .slice(0, maxLength)
    .map(word => word.charAt(0).toLowerCase())
    .join('');
}
