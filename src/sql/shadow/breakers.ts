/** Enough that a document which breaks the engine again and again costs little, and few enough to be held. */
const mostBreakers = 100;

/** What broke the engine once is not given to it again. */
export class Breakers {
  readonly #texts = new Set<string>();

  has(sql: string): boolean {
    return this.#texts.has(sql);
  }

  add(sql: string): void {
    if (this.#texts.size >= mostBreakers) this.#texts.clear();
    this.#texts.add(sql);
  }
}
