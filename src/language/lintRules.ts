import { type Decoder, lenient, object, oneOf, optional } from '../base/decode.ts';
import { defaultLintRules, type LintCode, lintCodes, lintLevels, type LintRules } from '../sql/lints/lint.ts';
import type { LanguageSettings } from './languageSettings.ts';

/** Ignores unknown codes and levels, so that one typo does not disable the other rules. */
const decodeRules: Decoder<Partial<LintRules>> = object(
  Object.fromEntries(lintCodes.map(code => [code, lenient(optional(oneOf(lintLevels)))])),
);

/** The levels of all lints in a document. A lint without a setting has its default. */
export async function lintRulesFor(settings: LanguageSettings, uri: string): Promise<LintRules> {
  return { ...defaultLintRules, ...(await settings.get('lint.rules', decodeRules, uri)) };
}

/** The address of the page that explains a lint. The folder of the bundle is beside `media`. */
export function lintPage(code: LintCode): string {
  const root = import.meta.url.endsWith('.ts') ? '../..' : '..';
  return new URL(`${root}/media/docs/lints/${code}.md`, import.meta.url).href;
}
