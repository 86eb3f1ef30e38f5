/** Cuts text that comes in pieces into lines. */
export class LineBuffer {
  #rest = '';

  /** The lines that the piece completes. */
  add(piece: string): string[] {
    const lines = `${this.#rest}${piece}`.split('\n');
    this.#rest = lines.pop() ?? '';
    return lines;
  }

  /** How much of a line that has not ended is held. */
  get held(): number {
    return this.#rest.length;
  }
}
