import type { FormatToken } from './formatTokens.ts';

/** What stands between two tokens: `line` and `soft` are a space and nothing where all fits, else a new line. */
export type Separator = 'none' | 'space' | 'line' | 'soft' | 'hard';

export type LayoutNode =
  | { readonly kind: 'token'; readonly token: FormatToken; readonly text: string }
  | { readonly kind: 'separator'; readonly separator: Separator }
  | { readonly kind: 'indent'; readonly content: readonly LayoutNode[] }
  | {
      readonly kind: 'group';
      readonly content: readonly LayoutNode[];
      /** How wide it is on one line; Infinity when a comment or a hard line keeps it from being on one. */
      readonly width: number;
    };

export const token = (of: FormatToken, text: string): LayoutNode => ({ kind: 'token', token: of, text });
export const separator = (of: Separator): LayoutNode => ({ kind: 'separator', separator: of });
export const indent = (content: readonly LayoutNode[]): LayoutNode => ({ kind: 'indent', content });

export function group(content: readonly LayoutNode[]): LayoutNode {
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

function tokenWidth({ above, behind }: FormatToken, text: string): number {
  if (above.length > 0 || behind.some(comment => comment.toLineEnd || comment.text.includes('\n'))) return Infinity;
  return behind.reduce((width, comment) => width + 1 + comment.text.length, text.length);
}

export interface PrintOptions {
  readonly indent: string;
  readonly lineWidth: number;
  readonly lineEnd: string;
}

/** Writes a document out: a group that fits on the rest of its line stays on it, any other is broken at its lines. */
export function printLayout(content: readonly LayoutNode[], options: PrintOptions): string {
  const parts: string[] = [];
  let column = 0;
  let pending: { newLine: boolean; level: number } | 'space' | undefined;

  const write = (text: string): void => {
    if (pending === 'space') {
      parts.push(' ');
      column++;
    } else if (pending?.newLine) {
      parts.push(options.lineEnd, options.indent.repeat(pending.level));
      column = options.indent.length * pending.level;
    }
    pending = undefined;
    parts.push(text);
    column += text.length;
  };
  const breakLine = (level: number): void => {
    if (parts.length > 0) pending = { newLine: true, level };
  };
  const writeToken = (node: LayoutNode & { kind: 'token' }, level: number): void => {
    for (const comment of node.token.above) {
      breakLine(level);
      write(comment.text);
      breakLine(level);
    }
    write(node.text);
    for (const comment of node.token.behind) {
      pending = 'space';
      write(comment.text);
      if (comment.toLineEnd) breakLine(level);
    }
  };
  const separate = (kind: Separator, level: number, flat: boolean): void => {
    if (kind === 'hard' || (!flat && (kind === 'line' || kind === 'soft'))) breakLine(level);
    else if ((kind === 'space' || kind === 'line') && pending === undefined) pending = 'space';
  };
  const print = (nodes: readonly LayoutNode[], level: number, flat: boolean): void => {
    for (const node of nodes) {
      if (node.kind === 'token') writeToken(node, level);
      else if (node.kind === 'separator') separate(node.separator, level, flat);
      else if (node.kind === 'indent') print(node.content, level + 1, flat);
      else {
        const at = typeof pending === 'object' ? options.indent.length * pending.level : column + (pending ? 1 : 0);
        print(node.content, level, flat || at + node.width <= options.lineWidth);
      }
    }
  };
  print(content, 0, false);
  return parts.join('');
}
