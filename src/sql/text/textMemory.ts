/** For how many characters of text there is room, and up to how many one text is worth to be kept. */
const mostCharacters = 8_000_000;
const longestText = 64_000;

/** What an entry takes besides its text, in characters: a thousand short texts are more than their characters. */
const charactersOfEntry = 400;

/**
 * What was found out about texts, in bounded memory. What was not asked for the longest goes first, by halves: each text is in
 * the half that fills until that is full, and then what is in the other one goes.
 */
export class TextMemory<T extends object> {
  readonly #longest: number;
  #recent = new Map<string, T>();
  #earlier: ReadonlyMap<string, T> = new Map();
  #characters = 0;

  constructor(longest = longestText) {
    this.#longest = longest;
  }

  get(text: string): T | undefined {
    const recent = this.#recent.get(text);
    if (recent) return recent;
    const earlier = this.#earlier.get(text);
    if (earlier) this.set(text, earlier);
    return earlier;
  }

  set(text: string, value: T): void {
    if (text.length > this.#longest) return;
    if (!this.#recent.has(text)) this.#makeRoom(text.length + charactersOfEntry);
    this.#recent.set(text, value);
  }

  clear(): void {
    this.#recent.clear();
    this.#earlier = new Map();
    this.#characters = 0;
  }

  #makeRoom(characters: number): void {
    this.#characters += characters;
    if (this.#characters <= mostCharacters / 2) return;
    this.#earlier = this.#recent;
    this.#recent = new Map();
    this.#characters = characters;
  }
}
