import { CoarseScanner } from '../text/tokens.ts';

/** A line `-- @project name` at the head of a document. */
export interface ProjectLine {
  readonly name: string;
  /** What to replace for another name: what stands behind the word, the blank before the name included. */
  readonly start: number;
  readonly end: number;
}

const line = /^(--[ \t]*@project)(?!\S)([^\r\n]*)\r?$/;

/** The first such line of a text, in a comment before all code; undefined when there is none. The name may be empty. */
export function projectLineOf(text: string): ProjectLine | undefined {
  const scanner = new CoarseScanner(text);
  while (scanner.next() && (scanner.kind === 'space' || scanner.kind === 'comment')) {
    const found = line.exec(text.slice(scanner.start, scanner.end));
    if (!found) continue;
    const [, before = '', behind = ''] = found;
    const start = scanner.start + before.length;
    return { name: behind.trim(), start, end: start + behind.trimEnd().length };
  }
  return undefined;
}

/** All that such lines name, wherever they stand in a text: what only reads like one, in quotes or a block comment, is none. */
export function projectNamesIn(text: string): { readonly name: string; readonly start: number }[] {
  const found: { name: string; start: number }[] = [];
  if (!text.includes('@project')) return found;
  const scanner = new CoarseScanner(text);
  let beginsLine = true;
  while (scanner.next()) {
    const { kind, start } = scanner;
    const piece = kind === 'space' || kind === 'comment' ? text.slice(start, scanner.end) : '';
    const behind = beginsLine && kind === 'comment' ? line.exec(piece)?.[2] : undefined;
    if (behind !== undefined) found.push({ name: behind.trim(), start });
    beginsLine = kind === 'space' && (beginsLine || piece.includes('\n'));
  }
  return found;
}
