import { findNodeAtLocation, type ParseError, parse, parseTree } from 'jsonc-parser';
import { asArray, asRecord } from '../base/decode.ts';
import type { TextRange } from '../sql/text/textRange.ts';

/**
 * The project entries of a file that a user imports: an exported list, or a settings.json in which `setting` names the
 * list. Comments and trailing commas are allowed, as in the settings. Undefined for anything else.
 */
export function projectEntriesIn(text: string, setting: string): readonly unknown[] | undefined {
  const errors: ParseError[] = [];
  const content: unknown = parse(text.replace(/^\uFEFF/, ''), errors, { allowTrailingComma: true });
  if (errors.length > 0) return undefined;
  return asArray(content) ?? asArray(asRecord(content)?.[setting]);
}

/** Where a settings file has the entry of a project, or without an index the whole list. Undefined if it has none. */
export function entryPartIn(text: string, setting: string, index?: number): TextRange | undefined {
  const tree = parseTree(text, [], { allowTrailingComma: true });
  const path = index === undefined ? [setting] : [setting, index];
  // A workspace file has its settings one level deeper.
  const node = tree && (findNodeAtLocation(tree, path) ?? findNodeAtLocation(tree, ['settings', ...path]));
  return node && { start: node.offset, end: node.offset + node.length };
}
