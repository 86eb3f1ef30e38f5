import { SyntaxKind } from 'typescript/unstable/ast';
import { computeLineStarts, createScanner, type Scanner } from 'typescript/unstable/ast/scanner';

/** A text in the code, with what it is passed or assigned to. */
export interface Literal {
  readonly text: string;
  readonly line: number;
  /** The key, variable or function that gets the text. `''` if none does. */
  readonly use: string;
  /** Whether it is the text of `l10n.t` or of `t`. */
  readonly isTranslated: boolean;
  /** Whether it is within the arguments of an error. */
  readonly isInError: boolean;
}

/** All string literals and templates of a TypeScript file. The interpolations of a template are `{0}`, `{1}` …. */
export function literalsOf(source: string): Literal[] {
  return new LiteralScanner(source).scan();
}

/** The constructs that are open at the scanner's place: brackets, or the interpolation of a template. */
interface Frame {
  /** The function whose arguments these are, with its object: `vscode.l10n.t`. */
  readonly callee: string;
  /** The use of the whole, for texts that the function only changes. */
  readonly outerUse: string;
  /** The key or variable before the scanner's place. */
  use: string;
  hasComma: boolean;
  readonly template?: Template;
}

interface Template {
  readonly literal: Omit<Literal, 'text'>;
  readonly parts: string[];
}

/** Functions that give their text back for people to read. */
const passingOn = /(?:^|\.)(?:l10n\.)?(?:t|withoutIcons|withoutLinks|oneLine)$/;
const translating = /(?:^|\.)l10n\.t$|^t$/;

class LiteralScanner {
  readonly #scanner: Scanner;
  readonly #lineStarts: readonly number[];
  readonly #literals: Literal[] = [];
  readonly #frames: Frame[] = [{ callee: '', outerUse: '', use: '', hasComma: false }];
  /** The tokens before, the last one first. */
  #previousTokens: readonly { readonly kind: SyntaxKind; readonly text: string }[] = [];
  /** The dotted name that ends with the last token. */
  #name = '';

  constructor(source: string) {
    this.#scanner = createScanner(true, undefined, source);
    this.#lineStarts = computeLineStarts(source);
  }

  scan(): Literal[] {
    for (let kind = this.#next(); kind !== SyntaxKind.EndOfFile; kind = this.#next()) {
      this.#visit(kind);
      this.#previousTokens = [{ kind, text: this.#scanner.getTokenValue() }, ...this.#previousTokens.slice(0, 2)];
    }
    return this.#literals.toSorted((one, other) => one.line - other.line);
  }

  get #frame(): Frame {
    return this.#frames.at(-1)!;
  }

  #next(): SyntaxKind {
    const kind = this.#scanner.scan();
    if (kind === SyntaxKind.SlashToken || kind === SyntaxKind.SlashEqualsToken) {
      return this.#isBehindExpression() ? kind : this.#scanner.reScanSlashToken();
    }
    return kind === SyntaxKind.CloseBraceToken && this.#frame.template
      ? this.#scanner.reScanTemplateToken(false)
      : kind;
  }

  #isBehindExpression(): boolean {
    switch (this.#previousTokens[0]?.kind) {
      case SyntaxKind.Identifier:
      case SyntaxKind.NumericLiteral:
      case SyntaxKind.StringLiteral:
      case SyntaxKind.NoSubstitutionTemplateLiteral:
      case SyntaxKind.TemplateTail:
      case SyntaxKind.CloseParenToken:
      case SyntaxKind.CloseBracketToken:
      case SyntaxKind.CloseBraceToken:
      case SyntaxKind.ThisKeyword:
      case SyntaxKind.SuperKeyword:
        return true;
      default:
        return false;
    }
  }

  #visit(kind: SyntaxKind): void {
    const name = this.#name;
    this.#updateName(kind);
    switch (kind) {
      case SyntaxKind.StringLiteral:
      case SyntaxKind.NoSubstitutionTemplateLiteral:
        this.#add({ ...this.#literalHere(), text: this.#scanner.getTokenValue() });
        break;
      case SyntaxKind.TemplateHead:
        this.#open('', { literal: this.#literalHere(), parts: [this.#scanner.getTokenValue()] });
        break;
      case SyntaxKind.TemplateMiddle:
        this.#frame.template?.parts.push(this.#scanner.getTokenValue());
        break;
      case SyntaxKind.TemplateTail:
        this.#endTemplate();
        break;
      case SyntaxKind.OpenParenToken:
      case SyntaxKind.OpenBraceToken:
      case SyntaxKind.OpenBracketToken:
        this.#open(kind === SyntaxKind.OpenParenToken ? name : '');
        break;
      case SyntaxKind.CloseParenToken:
      case SyntaxKind.CloseBraceToken:
      case SyntaxKind.CloseBracketToken:
        if (this.#frames.length > 1) this.#frames.pop();
        break;
      case SyntaxKind.ColonToken:
        if (this.#isAfterKey()) this.#frame.use = this.#previousTokens[0]!.text;
        break;
      case SyntaxKind.EqualsToken:
        this.#frame.use = this.#previousTokens[0]?.text ?? '';
        break;
      case SyntaxKind.CommaToken:
      case SyntaxKind.SemicolonToken:
        this.#frame.use = '';
        this.#frame.hasComma = true;
        break;
      default:
    }
  }

  /** Names are identifiers and keywords, joined by points. */
  #updateName(kind: SyntaxKind): void {
    const isWord = kind === SyntaxKind.Identifier || kind === SyntaxKind.PrivateIdentifier || isKeyword(kind);
    const text = this.#scanner.getTokenText();
    if (isWord) this.#name = this.#name.endsWith('.') ? this.#name + text : text;
    else this.#name = kind === SyntaxKind.DotToken ? `${this.#name}.` : '';
  }

  /** Whether the last token is a key of an object, and not a branch of a condition. */
  #isAfterKey(): boolean {
    const [key, before] = this.#previousTokens;
    const isKey = key?.kind === SyntaxKind.Identifier || key?.kind === SyntaxKind.StringLiteral;
    return isKey && (before?.kind === SyntaxKind.OpenBraceToken || before?.kind === SyntaxKind.CommaToken);
  }

  #open(callee: string, template?: Template): void {
    this.#frames.push({ callee, outerUse: this.#use(), use: '', hasComma: false, ...(template && { template }) });
  }

  #use(): string {
    const { use, callee, outerUse } = this.#frame;
    if (use !== '') return use;
    return callee === '' || passingOn.test(callee) ? outerUse : callee;
  }

  #literalHere(): Omit<Literal, 'text'> {
    const { callee, hasComma } = this.#frame;
    const start = this.#scanner.getTokenStart();
    return {
      line: this.#lineStarts.findLastIndex(lineStart => lineStart <= start) + 1,
      use: this.#use(),
      isTranslated: translating.test(callee) && !hasComma,
      isInError: this.#frames.some(frame => frame.callee.endsWith('Error')),
    };
  }

  #endTemplate(): void {
    const { template } = this.#frames.pop()!;
    if (!template) return;
    const parts = [...template.parts, this.#scanner.getTokenValue()];
    const text = parts.map((part, index) => (index === 0 ? part : `{${index - 1}}${part}`)).join('');
    this.#add({ ...template.literal, text });
  }

  /** Literals that a `+` joins are one text. */
  #add(literal: Literal): void {
    const [plus, before] = this.#previousTokens;
    const isJoined = plus?.kind === SyntaxKind.PlusToken && before !== undefined && endsLiteral(before.kind);
    const start = isJoined ? this.#literals.pop() : undefined;
    this.#literals.push(start ? { ...start, text: start.text + literal.text } : literal);
  }
}

const endsLiteral = (kind: SyntaxKind): boolean =>
  kind === SyntaxKind.StringLiteral ||
  kind === SyntaxKind.NoSubstitutionTemplateLiteral ||
  kind === SyntaxKind.TemplateTail;

const isKeyword = (kind: SyntaxKind): boolean => kind >= SyntaxKind.FirstKeyword && kind <= SyntaxKind.LastKeyword;
