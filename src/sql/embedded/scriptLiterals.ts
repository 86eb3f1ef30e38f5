import { endAfter, endOfLine } from '../text/tokens.ts';
import type { EmbeddedSql } from './embeddedSql.ts';
import { scriptEscape } from './escapes.ts';
import { LiteralText } from './literalText.ts';

/** A `/` after one of these words begins a regular expression and is not a division. */
const wordsBeforeExpression: ReadonlySet<string> = new Set(
  'await case delete do else extends in instanceof new of return throw typeof void yield default'.split(' '),
);

/** A statement begins after the parentheses of these words. */
const wordsBeforeCondition: ReadonlySet<string> = new Set(['if', 'while', 'for', 'with']);

/** Only so many characters are searched for the end of type arguments. */
const maxTypeArguments = 2000;

/** Where the type arguments of a tag end, as in sql<User>`…`. `isTag` is false if no template follows them. */
function typeArgumentsAt(file: string, start: number): { readonly end: number; readonly isTag: boolean } {
  const limit = Math.min(file.length, start + maxTypeArguments);
  let depth = 0;
  for (let offset = start; offset < limit; offset++) {
    const character = file.charAt(offset);
    if (character === '<') depth++;
    // The arrow of a function type closes nothing.
    else if (character === '>' && file.charAt(offset - 1) !== '=') depth--;
    else if (character === '`') return { end: offset, isTag: false };
    if (depth === 0) return { end: offset + 1, isTag: file.charAt(offset + 1) === '`' };
  }
  return { end: limit, isTag: false };
}

/** The offset after a regular expression. Undefined if it does not end on its line. */
function endOfRegularExpression(file: string, start: number): number | undefined {
  let isInClass = false;
  for (let offset = start + 1; offset < file.length; offset++) {
    const character = file.charAt(offset);
    if (character === '\n' || character === '\r') return undefined;
    if (character === '\\') offset++;
    else if (character === '[') isInClass = true;
    else if (character === ']') isInClass = false;
    else if (character === '/' && !isInClass) return offset + 1;
  }
  return undefined;
}

/** Whether `<` begins an element of JSX, and not the type parameters of an arrow function. */
function beginsElement(file: string, start: number): boolean {
  elementStart.lastIndex = start;
  const [tag, next] = elementStart.exec(file) ?? [];
  return tag !== undefined && next !== ',' && next !== 'extends';
}

/** A fragment's tag, or the name of a tag and what follows it. */
const elementStart = /<>|<[a-z_$\u0080-\uffff][\w$\u0080-\uffff.:-]{0,200}\s{0,20}(extends\b|\S)/iy;

/** The SQL of a TypeScript or JavaScript file: templates tagged `sql`, and literals after a comment `sql`. */
export function scriptLiterals(file: string, { hasJsx }: { readonly hasJsx: boolean }): EmbeddedSql[] {
  return new ScriptScanner(file, hasJsx).scan();
}

/** A construct around the scanner. `children` is the content of a JSX element. */
type Frame =
  | { readonly kind: 'brace' | 'bracket' | 'tag' | 'children' }
  | { readonly kind: 'parenthesis'; readonly isCondition: boolean }
  /** The literal is undefined if the template is not SQL. */
  | { readonly kind: 'interpolation'; readonly literal: LiteralText | undefined };

const space = /\s+/y;
const word = /[\w$\u0080-\uffff]+/y;
const plainTemplate = /[^`\\$]+/y;
const plainString = /[^'"\\\r\n]+/y;
const plainChildren = /[^<{]+/y;
const sqlComment = /^\/\*\s*sql\s*\*\/$/i;

class ScriptScanner {
  readonly #file: string;
  readonly #hasJsx: boolean;
  readonly #literals: EmbeddedSql[] = [];
  readonly #frames: Frame[] = [];
  #offset = 0;
  /** Whether the last token ends an expression. Then `/` divides and `<` compares. */
  #endsExpression = false;
  #isAfterPoint = false;
  /** The last token, if it is a word. */
  #lastWord = '';
  /** Whether a comment or a tag says that the next literal is SQL. */
  #isMarked = false;
  /** The last literal, if `+` and another literal may continue its SQL. */
  #continued: LiteralText | undefined;
  #isAfterPlus = false;
  /** The end of the text that was last searched for type arguments. */
  #endOfTypes = 0;
  /** How many interpolations of SQL are around the scanner. SQL in there is a part of the outer statement. */
  #sqlDepth = 0;

  constructor(file: string, hasJsx: boolean) {
    this.#file = file;
    this.#hasJsx = hasJsx;
  }

  scan(): EmbeddedSql[] {
    const { length } = this.#file;
    while (this.#offset < length) {
      const kind = this.#frames.at(-1)?.kind;
      if (kind === 'children') this.#scanChildren();
      else if (kind === 'tag') this.#scanTag();
      else this.#scanCode();
    }
    this.#endContinued();
    return this.#literals;
  }

  #scanCode(): void {
    const file = this.#file;
    const start = this.#offset;
    if (this.#skip(space)) return;
    if (file.startsWith('//', start)) this.#offset = endOfLine(file, start);
    else if (file.startsWith('/*', start)) this.#scanComment();
    else this.#scanToken(file.charAt(start));
  }

  #scanComment(): void {
    const start = this.#offset;
    this.#offset = endAfter(this.#file, '*/', start + 2);
    const isShort = this.#offset - start < 100;
    if (isShort && sqlComment.test(this.#file.slice(start, this.#offset))) this.#isMarked = true;
  }

  #scanToken(character: string): void {
    const isMarked = this.#isMarked;
    this.#isMarked = false;
    const isLiteral = `'"\``.includes(character);
    const isPlus = character === '+' && !/[+=]/.test(this.#file.charAt(this.#offset + 1));
    if (!(this.#isAfterPlus ? isLiteral : isPlus)) this.#endContinued();
    this.#isAfterPlus = isPlus;
    if (isLiteral) this.#scanLiteral(character, isMarked);
    else if (!this.#scanWord()) this.#scanPunctuation(character);
  }

  #scanLiteral(mark: string, isMarked: boolean): void {
    this.#offset++;
    this.#lastWord = '';
    this.#isAfterPoint = false;
    this.#endsExpression = true;
    const literal = this.#literalFor(mark, isMarked);
    if (mark === '`') this.#scanTemplate(literal);
    else this.#scanString(mark, literal);
  }

  /** Undefined if the literal that begins here is not SQL. */
  #literalFor(mark: string, isMarked: boolean): LiteralText | undefined {
    const quote = { mark, isRaw: false, isFormat: false };
    const continued = this.#continued;
    this.#continued = undefined;
    continued?.join(this.#offset, quote);
    if (continued) return continued;
    return isMarked && this.#sqlDepth === 0 ? new LiteralText(this.#file, this.#offset, quote) : undefined;
  }

  #endContinued(): void {
    if (this.#continued) this.#literals.push(this.#continued.finish(this.#isAfterPlus));
    this.#continued = undefined;
  }

  #scanString(mark: string, literal: LiteralText | undefined): void {
    const file = this.#file;
    while (this.#offset < file.length) {
      if (this.#skip(plainString)) continue;
      const character = file.charAt(this.#offset);
      if (character === mark) {
        this.#endLiteral(literal);
        return;
      }
      if (character === '\n' || character === '\r') return;
      if (character === '\\') this.#scanEscape(literal);
      else this.#offset++;
    }
  }

  /** Scans a template to its end or to its next interpolation. */
  #scanTemplate(literal: LiteralText | undefined): void {
    const file = this.#file;
    while (this.#offset < file.length) {
      if (this.#skip(plainTemplate)) continue;
      const character = file.charAt(this.#offset);
      if (character === '`') {
        this.#endLiteral(literal);
        return;
      }
      if (character === '\\') this.#scanEscape(literal);
      else if (file.charAt(this.#offset + 1) === '{') {
        literal?.addPlain(this.#offset);
        this.#offset += 2;
        if (literal) this.#sqlDepth++;
        this.#frames.push({ kind: 'interpolation', literal });
        this.#endsExpression = false;
        return;
      } else this.#offset++;
    }
  }

  #scanEscape(literal: LiteralText | undefined): void {
    const { end, value } = scriptEscape(this.#file, this.#offset);
    literal?.addPlain(this.#offset);
    literal?.addEscape(end, value);
    this.#offset = end;
  }

  #endLiteral(literal: LiteralText | undefined): void {
    literal?.addPlain(this.#offset);
    this.#continued = literal;
    this.#isAfterPlus = false;
    this.#endsExpression = true;
    this.#offset++;
  }

  #scanWord(): boolean {
    const start = this.#offset;
    if (!this.#skip(word)) return false;
    const text = this.#file.slice(start, this.#offset);
    this.#endsExpression = this.#isAfterPoint || !wordsBeforeExpression.has(text);
    this.#lastWord = this.#isAfterPoint ? '' : text;
    this.#isAfterPoint = false;
    this.#isMarked = text === 'sql' || text === 'SQL';
    if (this.#isMarked && this.#file.charAt(this.#offset) === '<') this.#skipTypeArguments();
    return true;
  }

  #skipTypeArguments(): void {
    // However many tags a part of the file has, it is searched once.
    if (this.#offset < this.#endOfTypes) return;
    const { end, isTag } = typeArgumentsAt(this.#file, this.#offset);
    this.#endOfTypes = end;
    if (isTag) this.#offset = end;
  }

  #scanPunctuation(character: string): void {
    const file = this.#file;
    const start = this.#offset;
    const next = file.charAt(start + 1);
    const endedExpression = this.#endsExpression;
    const wordBefore = this.#lastWord;
    this.#lastWord = '';
    this.#isAfterPoint = character === '.';
    this.#endsExpression = false;
    this.#offset++;
    switch (character) {
      case '(':
        this.#frames.push({ kind: 'parenthesis', isCondition: wordsBeforeCondition.has(wordBefore) });
        break;
      case '[':
        this.#frames.push({ kind: 'bracket' });
        break;
      case '{':
        this.#frames.push({ kind: 'brace' });
        break;
      case ')':
        this.#endsExpression = !this.#closesCondition();
        break;
      case ']':
        if (this.#frames.at(-1)?.kind === 'bracket') this.#frames.pop();
        this.#endsExpression = true;
        break;
      case '}':
        this.#closeBrace();
        break;
      case '/': {
        const end = endedExpression ? undefined : endOfRegularExpression(file, start);
        this.#endsExpression = end !== undefined;
        this.#offset = end ?? this.#offset;
        break;
      }
      case '<':
        if (next === '<') this.#offset++;
        else if (this.#hasJsx && !endedExpression && beginsElement(file, start)) this.#openElement();
        break;
      case '+':
      case '-':
        // An increment does not end the expression that it belongs to.
        if (next === character) {
          this.#offset++;
          this.#endsExpression = endedExpression;
        }
        break;
      case '!':
        // After an expression, `!` asserts that there is a value.
        this.#endsExpression = endedExpression && next !== '=';
        break;
      default:
    }
  }

  #closesCondition(): boolean {
    const frame = this.#frames.at(-1);
    if (frame?.kind !== 'parenthesis') return false;
    this.#frames.pop();
    return frame.isCondition;
  }

  #closeBrace(): void {
    const frames = this.#frames;
    // Parentheses and brackets that are still open within the braces lack their ends.
    while (frames.at(-1)?.kind === 'parenthesis' || frames.at(-1)?.kind === 'bracket') frames.pop();
    const frame = frames.at(-1);
    if (frame?.kind === 'brace') frames.pop();
    if (frame?.kind !== 'interpolation') return;
    frames.pop();
    const { literal } = frame;
    if (literal) this.#sqlDepth--;
    literal?.addInterpolation(this.#offset);
    this.#scanTemplate(literal);
  }

  #openElement(): void {
    this.#frames.push({ kind: 'children' }, { kind: 'tag' });
  }

  #scanTag(): void {
    const file = this.#file;
    const start = this.#offset;
    const character = file.charAt(start);
    this.#offset++;
    if (character === '>') this.#frames.pop();
    else if (character === '"' || character === "'") this.#offset = endAfter(file, character, start + 1);
    else if (character === '{') this.#openExpression();
    else if (file.startsWith('/*', start)) this.#offset = endAfter(file, '*/', start + 2);
    else if (file.startsWith('/>', start)) {
      this.#offset++;
      this.#frames.pop();
      this.#closeElement();
    }
  }

  #scanChildren(): void {
    if (this.#skip(plainChildren)) return;
    const file = this.#file;
    const start = this.#offset;
    this.#offset++;
    if (file.charAt(start) === '{') this.#openExpression();
    else if (file.charAt(start + 1) === '/') {
      this.#offset = endAfter(file, '>', start);
      this.#closeElement();
    } else if (beginsElement(file, start)) this.#openElement();
  }

  #openExpression(): void {
    this.#frames.push({ kind: 'brace' });
    this.#endsExpression = false;
  }

  #closeElement(): void {
    this.#frames.pop();
    this.#endsExpression = true;
  }

  #skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.#offset;
    if (!pattern.test(this.#file)) return false;
    this.#offset = pattern.lastIndex;
    return true;
  }
}
