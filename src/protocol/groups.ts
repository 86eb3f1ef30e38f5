import { asCount, type Infer, object, oneOf, optional, refine } from '../base/decode.ts';

export const periods = ['year', 'month', 'week', 'day'] as const;
export type Period = (typeof periods)[number];

export const decodeGroupKey = object({
  column: asCount,
  /** Takes texts that begin with a date, as 2026-01-31, by their period. Every other value counts as NULL. */
  period: optional(oneOf(periods)),
});
export type GroupKey = Infer<typeof decodeGroupKey>;

export const figureKinds = ['rows', 'count', 'distinct', 'sum', 'average', 'min', 'max'] as const;
export type FigureKind = (typeof figureKinds)[number];

/** `rows` counts all rows of a group, and needs no column. Sums and averages are those of the numbers. */
export const decodeGroupFigure = refine(
  object({ kind: oneOf(figureKinds), column: optional(asCount) }),
  ({ kind, column }) => kind === 'rows' || column !== undefined,
);
export type GroupFigure = Infer<typeof decodeGroupFigure>;

/** The rows with the same values in the columns of the keys are a group. Without keys, all rows are one. */
export interface GroupQuery {
  readonly keys: readonly GroupKey[];
  readonly figures: readonly GroupFigure[];
}
