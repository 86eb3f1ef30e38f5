import type { StatementList } from '../text/statementIndex.ts';
import { mentionedNames } from '../text/mentionedNames.ts';
import { coarseTokens } from '../text/tokens.ts';
import { letterCaseOf, type LetterCase } from './letterCase.ts';

/** Facts from the other statements of a document that help to complete one. */
export interface Surroundings {
  /** The case of the keywords. Undefined without other statements. */
  readonly keywordCase: LetterCase | undefined;
  /** The keys of all words and quoted names in the statements nearby. Some of them are tables. */
  readonly names: () => ReadonlySet<string>;
}

export const noSurroundings: Surroundings = { keywordCase: undefined, names: () => new Set() };

/** Each keystroke reads this many statements on each side. */
const maxStatements = 20;
/** Each keystroke reads this many characters of a statement. */
const maxLength = 2000;

export function surroundingsOf(document: StatementList, number: number): Surroundings {
  const textOf = (other: number): string => {
    const statement = document.at(other);
    return statement ? document.slice(statement.start, Math.min(statement.end, statement.start + maxLength)) : '';
  };
  const neighbour = number > 0 ? number - 1 : 1;
  return {
    keywordCase: letterCaseOf(firstWord(textOf(neighbour))),
    names: () => {
      const names = new Set<string>();
      const end = Math.min(document.count, number + maxStatements + 1);
      for (let other = Math.max(0, number - maxStatements); other < end; other++) {
        if (other !== number) for (const name of mentionedNames(textOf(other))) names.add(name);
      }
      return names;
    },
  };
}

function firstWord(text: string): string {
  for (const { kind, start, end } of coarseTokens(text)) if (kind === 'word') return text.slice(start, end);
  return '';
}
