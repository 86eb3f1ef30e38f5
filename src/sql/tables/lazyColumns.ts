import type { SchemaColumn } from './schemaTable.ts';

/** How many columns are being found for the sake of others at once. The call stack is not endless. */
const deepest = 50;
let depth = 0;

/** Columns that are found when they are wanted. What is made of itself has none while they are being found. */
export class LazyColumns {
  readonly #find: () => readonly SchemaColumn[];
  #found: readonly SchemaColumn[] | undefined;
  #isFinding = false;

  constructor(find: () => readonly SchemaColumn[]) {
    this.#find = find;
  }

  get(): readonly SchemaColumn[] {
    if (this.#found) return this.#found;
    if (this.#isFinding || depth >= deepest) return [];
    this.#isFinding = true;
    depth++;
    try {
      return (this.#found = this.#find());
    } finally {
      depth--;
      this.#isFinding = false;
    }
  }
}

export const plainColumn = (name: string): SchemaColumn => ({ name, type: '' });
