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

/** Levels by code. Unknown codes and levels are ignored, so that one typo does not disable the other rules. */
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

/** The levels of all lints in a document: those of the user, or else the defaults. */
export async function lintRulesFor(settings: LanguageSettings, uri: string): Promise<LintRules> {
  return { ...defaultLintRules, ...(await settings.get('lint.rules', decodeRules, uri)) };
}

/** The page that explains a lint. The bundle is beside the folder `media`. */
export function lintPage(code: LintCode): string {
  const root = import.meta.url.endsWith('.ts') ? '../..' : '..';
  return new URL(`${root}/media/docs/lints/${code}.md`, import.meta.url).href;
}
