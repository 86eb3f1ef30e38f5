import { CoarseScanner } from '../text/tokens.ts';

/** The directive `-- @project name` at the head of a document. */
export interface ProjectLine {
  readonly name: string;
  /** The range to replace for another name. It begins with the blank after `@project`. */
  readonly start: number;
  readonly end: number;
}

const directive = /^(--[ \t]*@project)(?!\S)([^\r\n]*)\r?$/;

/** The first directive among the comments before all code. The name may be empty. */
export function projectLineOf(text: string): ProjectLine | undefined {
  const scanner = new CoarseScanner(text);
  while (scanner.next() && (scanner.kind === 'space' || scanner.kind === 'comment')) {
    const match = directive.exec(text.slice(scanner.start, scanner.end));
    if (!match) continue;
    const [, keyword = '', argument = ''] = match;
    const start = scanner.start + keyword.length;
    return { name: argument.trim(), start, end: start + argument.trimEnd().length };
  }
  return undefined;
}

/** The names of all directives in a text, wherever they are. Quotes and block comments hold no directives. */
export function projectNamesIn(text: string): { readonly name: string; readonly start: number }[] {
  const names: { name: string; start: number }[] = [];
  if (!text.includes('@project')) return names;
  const scanner = new CoarseScanner(text);
  let isLineStart = true;
  while (scanner.next()) {
    const { kind, start } = scanner;
    const token = kind === 'space' || kind === 'comment' ? text.slice(start, scanner.end) : '';
    const argument = isLineStart && kind === 'comment' ? directive.exec(token)?.[2] : undefined;
    if (argument !== undefined) names.push({ name: argument.trim(), start });
    isLineStart = kind === 'space' && (isLineStart || token.includes('\n'));
  }
  return names;
}
