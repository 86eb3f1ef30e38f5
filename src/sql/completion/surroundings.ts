import type { StatementList } from '../text/statementIndex.ts';
import { mentionedNames } from '../text/mentionedNames.ts';
import { coarseTokens } from '../text/tokens.ts';
import { letterCaseOf, type LetterCase } from './letterCase.ts';

/** A column that a foreign key refers to, with a column of texts beside it. */
export interface LookupColumn {
  readonly table: string;
  readonly column: string;
  readonly textColumn: string | null;
}

/** A key of a small table as a literal of SQL, with a text of its row that people know. */
export interface LookupValue {
  readonly value: string;
  readonly text: string;
}

/** Finds the values of a column that a foreign key refers to. Undefined as long as they are not known. */
export type FindLookupValues = (table: string, column: string) => readonly LookupValue[] | undefined;

/** Facts from outside of a statement that help to complete it: from the other statements of its document, and from tables. */
export interface Surroundings {
  /** The case of the keywords. Undefined without other statements. */
  readonly keywordCase: LetterCase | undefined;
  /** The keys of all words and quoted names in the statements nearby. Some of them are tables. */
  readonly names: () => ReadonlySet<string>;
  readonly lookupValues: FindLookupValues;
}

const noLookupValues: FindLookupValues = () => undefined;

export const noSurroundings: Surroundings = {
  keywordCase: undefined,
  names: () => new Set(),
  lookupValues: noLookupValues,
};

/** Each keystroke reads this many statements on each side. */
const maxStatements = 20;
/** Each keystroke reads this many characters of a statement. */
const maxLength = 2000;

export function surroundingsOf(
  document: StatementList,
  number: number,
  lookupValues: FindLookupValues = noLookupValues,
): Surroundings {
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
    lookupValues,
  };
}

function firstWord(text: string): string {
  for (const { kind, start, end } of coarseTokens(text)) if (kind === 'word') return text.slice(start, end);
  return '';
}
