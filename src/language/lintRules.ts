import { type Decoder, oneOf, recordOf } from '../base/decode.ts';
import {
  defaultLintRules,
  type LintCode,
  lintCodes,
  type LintLevel,
  lintLevels,
  type LintRules,
} from '../sql/lints/lint.ts';
import type { LanguageSettings } from './languageSettings.ts';

const asLevel = oneOf(lintLevels);

/** Ignores unknown codes and levels, so that one typo does not disable the other rules. */
const decodeRules: Decoder<Partial<LintRules>> = value => {
  const levels = recordOf(level => ({ level: asLevel(level) }))(value);
  if (!levels) return undefined;
  const rules: Partial<Record<LintCode, LintLevel>> = {};
  for (const code of lintCodes) {
    const level = levels[code]?.level;
    if (level !== undefined) rules[code] = level;
  }
  return rules;
};

/** The levels of all lints in a document. A lint without a setting has its default. */
export async function lintRulesFor(settings: LanguageSettings, uri: string): Promise<LintRules> {
  return { ...defaultLintRules, ...(await settings.get('lint.rules', decodeRules, uri)) };
}

/** The address of the page that explains a lint. The folder of the bundle is beside `media`. */
export function lintPage(code: LintCode): string {
  const root = import.meta.url.endsWith('.ts') ? '../..' : '..';
  return new URL(`${root}/media/docs/lints/${code}.md`, import.meta.url).href;
}
