/** A document may break the engine again and again, but the list must not grow without end. */
const maxStatements = 100;

/** Texts that broke an engine. They are not given to an engine again. */
export class FatalStatements {
  readonly #texts = new Set<string>();

  has(sql: string): boolean {
    return this.#texts.has(sql);
  }

  add(sql: string): void {
    if (this.#texts.size >= maxStatements) this.#texts.clear();
    this.#texts.add(sql);
  }
}
