import { type ParseError, parse } from 'jsonc-parser';
import { asArray, asRecord } from '../base/decode.ts';

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
