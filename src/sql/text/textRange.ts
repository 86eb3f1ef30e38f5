/** A range of a text, in UTF-16 units. */
export interface TextRange {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}
