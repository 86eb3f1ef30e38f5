/** Bounds the memory if a document breaks the engine again and again. */
const maxStatements = 100;

/** The statements that broke an engine. No engine gets them again. */
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
