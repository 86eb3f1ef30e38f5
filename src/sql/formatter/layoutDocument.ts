import type { FormatToken } from './formatTokens.ts';

/** `hard` is a line break. If its group fits on a line, `line` is a space and `soft` is nothing. Otherwise both are line breaks. */
export type Separator = 'none' | 'space' | 'line' | 'soft' | 'hard';

export type LayoutNode =
  | { readonly kind: 'token'; readonly token: FormatToken; readonly text: string }
  | { readonly kind: 'separator'; readonly separator: Separator }
  | { readonly kind: 'indent'; readonly content: readonly LayoutNode[] }
  | {
      readonly kind: 'group';
      readonly content: readonly LayoutNode[];
      /** The width on one line. Infinity if a comment or a hard line break needs a line end. */
      readonly width: number;
    };

export const tokenNode = (token: FormatToken, text: string): LayoutNode => ({ kind: 'token', token, text });
export const separatorNode = (separator: Separator): LayoutNode => ({ kind: 'separator', separator });
export const indentNode = (content: readonly LayoutNode[]): LayoutNode => ({ kind: 'indent', content });

export function groupNode(content: readonly LayoutNode[]): LayoutNode {
  return { kind: 'group', content, width: widthOf(content) };
}

function widthOf(content: readonly LayoutNode[]): number {
  let width = 0;
  for (const node of content) {
    if (node.kind === 'token') width += tokenWidth(node.token, node.text);
    else if (node.kind === 'indent') width += widthOf(node.content);
    else if (node.kind === 'group') width += node.width;
    else if (node.separator === 'hard') return Infinity;
    else if (node.separator === 'space' || node.separator === 'line') width += 1;
  }
  return width;
}

function tokenWidth({ commentsAbove, commentsAfter }: FormatToken, text: string): number {
  const breaksLine = ({ isLineComment, text: comment }: (typeof commentsAfter)[number]): boolean =>
    isLineComment || comment.includes('\n');
  if (commentsAbove.length > 0 || commentsAfter.some(breaksLine)) return Infinity;
  return commentsAfter.reduce((width, comment) => width + 1 + comment.text.length, text.length);
}

interface PrintOptions {
  readonly indent: string;
  /** The width of one step of indentation, in characters. */
  readonly indentWidth: number;
  readonly lineWidth: number;
  readonly lineEnd: string;
}

/** Prints a layout. A group that fits on the rest of the line stays there. Every other group breaks at its separators. */
export function printLayout(content: readonly LayoutNode[], options: PrintOptions): string {
  const { indent, indentWidth, lineWidth, lineEnd } = options;
  const parts: string[] = [];
  let column = 0;
  /** The separator before the next text. An object is a line break, with the indentation level of the next line. */
  let pending: { readonly level: number } | 'space' | undefined;

  const nextColumn = (): number => {
    if (pending === undefined) return column;
    return pending === 'space' ? column + 1 : indentWidth * pending.level;
  };
  const breakLine = (level: number): void => {
    if (parts.length > 0) pending = { level };
  };
  const write = (text: string): void => {
    column = nextColumn();
    if (pending === 'space') parts.push(' ');
    else if (pending) parts.push(lineEnd, indent.repeat(pending.level));
    pending = undefined;
    parts.push(text);
    // A literal or comment may have line breaks.
    const lastLine = text.length - (text.lastIndexOf('\n') + 1);
    column = lastLine < text.length ? lastLine : column + lastLine;
  };
  const writeToken = ({ commentsAbove, commentsAfter }: FormatToken, text: string, level: number): void => {
    for (const comment of commentsAbove) {
      breakLine(level);
      write(comment.text);
      breakLine(level);
    }
    write(text);
    for (const comment of commentsAfter) {
      pending = 'space';
      write(comment.text);
      if (comment.isLineComment) breakLine(level);
    }
  };
  const separate = (separator: Separator, level: number, isFlat: boolean): void => {
    const isLineBreak = separator === 'hard' || (!isFlat && (separator === 'line' || separator === 'soft'));
    if (isLineBreak) breakLine(level);
    else if (separator === 'space' || separator === 'line') pending ??= 'space';
  };
  const print = (nodes: readonly LayoutNode[], level: number, isFlat: boolean): void => {
    for (const node of nodes) {
      if (node.kind === 'token') writeToken(node.token, node.text, level);
      else if (node.kind === 'separator') separate(node.separator, level, isFlat);
      else if (node.kind === 'indent') print(node.content, level + 1, isFlat);
      else print(node.content, level, isFlat || nextColumn() + node.width <= lineWidth);
    }
  };
  print(content, 0, false);
  return parts.join('');
}
