import type { TextRange } from '../text/textRange.ts';

/** Stable codes for settings, pages and tests. Messages may change. */
export const lintCodes = [
  'missing_where',
  'needs_session',
  'equals_null',
  'never_matches',
  'missing_comma',
  'implicit_cross_join',
  'duplicate_result_columns',
  'star_in_view',
  'limit_without_order',
  'unused_common_table',
] as const;

export type LintCode = (typeof lintCodes)[number];

export const isLintCode = (code: string): code is LintCode => (lintCodes as readonly string[]).includes(code);

/** A part of a valid statement that is probably not what its author means. */
export interface Lint extends TextRange {
  readonly code: LintCode;
  readonly message: string;
}

export const lintLevels = ['error', 'warning', 'information', 'hint', 'off'] as const;

export type LintLevel = (typeof lintLevels)[number];

export type LintRules = Readonly<Record<LintCode, LintLevel>>;

export const defaultLintRules: LintRules = {
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
};
