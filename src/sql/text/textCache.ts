const defaultMaxCharacters = 8_000_000;

/** Longer texts are not cached: each keystroke makes a new one, which would evict many short texts. */
const maxTextLength = 64_000;

/** The memory of an entry besides its text, in characters. It bounds the number of short texts. */
const charactersPerEntry = 400;

/** V8 implements a slice as a view of the whole text. A slice that stays would keep every version of a document alive. */
export const detachedCopy = (text: string): string => ` ${text}`.slice(1);

/**
 * A cache by text with bounded memory. It evicts the least recently used half: entries move to the recent half when they are
 * read, and when that is full, it becomes the old half and the old half is dropped.
 */
export class TextCache<T extends object> {
  readonly #maxCharacters: number;
  #recent = new Map<string, T>();
  #old: ReadonlyMap<string, T> = new Map();
  #recentCharacters = 0;

  constructor(maxCharacters = defaultMaxCharacters) {
    this.#maxCharacters = maxCharacters;
  }

  get(text: string): T | undefined {
    const recent = this.#recent.get(text);
    if (recent) return recent;
    const old = this.#old.get(text);
    if (old) this.set(text, old);
    return old;
  }

  set(text: string, value: T): void {
    if (text.length > maxTextLength) return;
    if (!this.#recent.has(text)) this.#reserve(text.length + charactersPerEntry);
    this.#recent.set(detachedCopy(text), value);
  }

  clear(): void {
    this.#recent.clear();
    this.#old = new Map();
    this.#recentCharacters = 0;
  }

  #reserve(characters: number): void {
    this.#recentCharacters += characters;
    if (this.#recentCharacters <= this.#maxCharacters / 2) return;
    this.#old = this.#recent;
    this.#recent = new Map();
    this.#recentCharacters = characters;
  }
}
