/** How many rows a table has, as far as the pages that came tell. */
export class TableExtent {
  #known: number;
  #end: number | undefined;

  constructor(atLeast = 0) {
    this.#known = atLeast;
  }

  /** Rows that there are for all that is known; there may be more as long as the end is not. */
  get rowCount(): number {
    return this.#end ?? this.#known;
  }

  get hasEnd(): boolean {
    return this.#end !== undefined;
  }

  /** There are rows up to this one. An end that was known before is none any more when they stand behind it. */
  reaches(end: number): void {
    this.#known = Math.max(this.#known, end);
    if (this.#end !== undefined && this.#end < end) this.#end = undefined;
  }

  endsAt(end: number): void {
    this.#known = end;
    this.#end = end;
  }

  /** No row stands there or behind it. Where the end is remains unknown. */
  endsBefore(row: number): void {
    this.#known = Math.min(this.#known, row);
    this.#end = undefined;
  }
}
