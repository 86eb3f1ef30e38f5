import { builtInFunction } from '../functions/builtInFunctions.ts';
import { keywordList } from '../text/keywordList.ts';
import { unquoted } from '../text/quoting.ts';
import { CoarseScanner } from '../text/tokens.ts';

interface Arguments {
  /** The argument at the cursor, from 0. */
  readonly argumentIndex: number;
  /** All arguments up to the closing parenthesis, or to the end of the text. */
  readonly argumentCount: number;
}

export interface FunctionCall extends Arguments {
  readonly kind: 'function';
  readonly name: string;
}

/** A row of INSERT … VALUES. */
export interface InsertRow extends Arguments {
  readonly kind: 'row';
  readonly table: string;
  /** The columns that the statement names. */
  readonly columns: readonly string[] | undefined;
}

interface Group {
  readonly kind: 'function' | 'row' | 'columns' | 'subquery' | 'other';
  readonly name: string;
  argumentIndex: number;
  hasContent: boolean;
}

/** Words after which a name with a parenthesis is declared or referenced, not called. */
const declaringWords = new Set('TABLE INTO REFERENCES EXISTS WITH RECURSIVE VIEW ON UPDATE INDEX'.split(' '));
/** Between two operands these words are operators. */
const operatorWords = new Set(['LIKE', 'GLOB', 'REGEXP', 'MATCH']);
const queryWords = new Set(['SELECT', 'WITH', 'VALUES']);

/** The call, or the row of an INSERT, whose parentheses are around `offset`. */
export function callAt(statement: string, offset: number): FunctionCall | InsertRow | undefined {
  const reader = new CallReader(statement);
  const scanner = new CoarseScanner(statement);
  let isAtEnd = !scanner.next();
  while (!isAtEnd && scanner.start < offset) {
    reader.read(scanner);
    isAtEnd = !scanner.next();
  }
  const { groups } = reader;
  for (let index = groups.length - 1; index >= 0; index--) {
    const group = groups[index]!;
    if (group.kind === 'subquery') return undefined;
    if (group.kind !== 'function' && group.kind !== 'row') continue;
    const { argumentIndex } = group;
    const argumentCount = isAtEnd ? countOf(group) : countArguments(reader, scanner, index);
    if (group.kind === 'function') return { kind: 'function', name: group.name, argumentIndex, argumentCount };
    return { kind: 'row', table: reader.table, columns: reader.columns, argumentIndex, argumentCount };
  }
  return undefined;
}

const countOf = ({ hasContent, argumentIndex }: Group): number => (hasContent ? argumentIndex + 1 : 0);

/** Reads until the group is closed. The scanner is at the first token after the cursor. */
function countArguments(reader: CallReader, scanner: CoarseScanner, index: number): number {
  const group = reader.groups[index]!;
  do reader.read(scanner);
  while (reader.groups[index] === group && scanner.next());
  return countOf(group);
}

/** Reads tokens and tracks the open parentheses. */
class CallReader {
  readonly #text: string;
  readonly groups: Group[] = [];
  /** The table of the INSERT, and the columns that it names. */
  table = '';
  columns: string[] | undefined;
  #previous = '';
  #beforePrevious = '';
  #isInValues = false;
  #isTableName = false;

  constructor(text: string) {
    this.#text = text;
  }

  read({ kind, start, end }: CoarseScanner): void {
    if (kind === 'space' || kind === 'comment') return;
    const text = this.#text.slice(start, end);
    const word = kind === 'word' ? text.toUpperCase() : text;
    const group = this.groups.at(-1);
    if (word === '(') this.#open();
    else if (word === ')') this.groups.pop();
    else if (group) this.#readWithin(group, text, word);
    else if (kind === 'semicolon') this.#reset();
    else this.#readOutside(text, word);
    this.#beforePrevious = this.#previous;
    this.#previous = kind === 'word' ? word : text;
  }

  #open(): void {
    const group = this.groups.at(-1);
    if (group) group.hasContent = true;
    const kind = this.#kindOfGroup();
    if (kind === 'columns') this.columns = [];
    this.groups.push({ kind, name: unquoted(this.#previous), argumentIndex: 0, hasContent: false });
  }

  #kindOfGroup(): Group['kind'] {
    const name = this.#previous;
    if (this.groups.length === 0) {
      if (this.#isInValues && (name === 'VALUES' || name === ',')) return 'row';
      if (this.#isTableName) return 'columns';
    }
    if (!/^["`[a-z]/i.test(name) || !builtInFunction(unquoted(name))) return 'other';
    const previous = this.#beforePrevious;
    if (declaringWords.has(previous)) return 'other';
    const followsOperand = /[\w"'`\])?]$/.test(previous) && !keywordList.has(previous);
    return operatorWords.has(name) && (followsOperand || previous === 'NOT') ? 'other' : 'function';
  }

  #readWithin(group: Group, text: string, word: string): void {
    if (!group.hasContent && queryWords.has(word) && group.kind === 'other') {
      this.groups[this.groups.length - 1] = { ...group, kind: 'subquery', hasContent: true };
      return;
    }
    group.hasContent = true;
    if (word === ',') group.argumentIndex++;
    else if (group.kind === 'columns' && this.groups.length === 1) this.columns?.push(unquoted(text));
  }

  #readOutside(text: string, word: string): void {
    if (word === 'INTO') {
      this.#reset();
      this.#isTableName = true;
    } else if (word === 'VALUES' || word === 'SELECT' || word === 'DEFAULT' || word === 'WITH') {
      this.#isInValues = word === 'VALUES' && this.#isTableName;
      this.#isTableName = false;
    } else if (word === 'ON' || word === 'RETURNING') {
      this.#isInValues = false;
    } else if (
      this.#isTableName &&
      this.columns === undefined &&
      (this.#previous === 'INTO' || this.#previous === '.')
    ) {
      this.table = unquoted(text);
    }
  }

  #reset(): void {
    this.table = '';
    this.columns = undefined;
    this.#isInValues = false;
    this.#isTableName = false;
  }
}
