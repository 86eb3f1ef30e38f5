import type { TextRange } from '../text/textRange.ts';

/** A part of a valid statement that is probably not what its author means. */
export interface Lint extends TextRange {
  readonly code: LintCode;
  readonly message: string;
}

export const lintLevels = ['error', 'warning', 'information', 'hint', 'off'] as const;

export type LintLevel = (typeof lintLevels)[number];

/** The codes are stable, for settings, pages and tests. Messages may change. */
export const defaultLintRules = {
  missing_where: 'warning',
  needs_session: 'warning',
  equals_null: 'warning',
  never_matches: 'warning',
  missing_comma: 'warning',
  implicit_cross_join: 'warning',
  duplicate_result_columns: 'information',
  star_in_view: 'information',
  limit_without_order: 'hint',
  unused_common_table: 'hint',
} as const satisfies Readonly<Record<string, LintLevel>>;

export type LintCode = keyof typeof defaultLintRules;

export type LintRules = Readonly<Record<LintCode, LintLevel>>;

export const lintCodes = Object.keys(defaultLintRules) as LintCode[];

export const isLintCode = (code: string): code is LintCode => Object.hasOwn(defaultLintRules, code);
