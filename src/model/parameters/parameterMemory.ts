import { createHash } from 'node:crypto';
import { arrayOf, asString, type Infer, nullable, object } from '../../base/decode.ts';
import { decodeTypedValue, type TypedValue } from '../../protocol/parameterForm.ts';
import { lastParametersKey, type WorkspaceStorage } from '../savedValues.ts';

const maxStatements = 200;
/** Longer values are not remembered: workspace storage is no place for documents. */
const maxTextLength = 10_000;

const maxSets = 5;

/** JSON has no undefined, so null stands for a value that was not remembered. */
const decodeSet = arrayOf(nullable(decodeTypedValue));

const decodeEntry = object({
  statementHash: asString,
  /** The last different sets, the newest first. */
  sets: arrayOf(decodeSet),
});
type Entry = Infer<typeof decodeEntry>;

interface ParameterMemoryParts {
  readonly storage: WorkspaceStorage;
  /** Whether values may be stored. Otherwise they are forgotten with the window. */
  readonly savesValues: () => boolean;
}

/** Remembers the last sets of parameter values of the statements that were run last. */
export class ParameterMemory {
  readonly #parts: ParameterMemoryParts;
  #entries: readonly Entry[] | undefined;

  constructor(parts: ParameterMemoryParts) {
    this.#parts = parts;
  }

  /** The values in the order of the fields; undefined where none was remembered. */
  recall(sql: string): readonly (TypedValue | undefined)[] {
    return this.recallSets(sql)[0] ?? [];
  }

  /** The last different sets of values, the newest first. */
  recallSets(sql: string): readonly (readonly (TypedValue | undefined)[])[] {
    return this.#setsOf(hashOf(sql)).map(set => set.map(value => value ?? undefined));
  }

  async remember(sql: string, values: readonly TypedValue[]): Promise<void> {
    const statementHash = hashOf(sql);
    const set = values.map(value => (value.text.length > maxTextLength ? null : value));
    const earlier = this.#setsOf(statementHash).filter(other => !isSameSet(other, set));
    const entry: Entry = { statementHash, sets: [set, ...earlier].slice(0, maxSets) };
    const others = this.#remembered().filter(other => other.statementHash !== statementHash);
    this.#entries = [entry, ...others].slice(0, maxStatements);
    const { storage, savesValues } = this.#parts;
    if (savesValues()) await storage.update(lastParametersKey, this.#entries);
  }

  #setsOf(statementHash: string): Entry['sets'] {
    return this.#remembered().find(other => other.statementHash === statementHash)?.sets ?? [];
  }

  #remembered(): readonly Entry[] {
    this.#entries ??= this.#parts.savesValues() ? this.#stored() : [];
    return this.#entries;
  }

  #stored(): Entry[] {
    const stored = this.#parts.storage.get(lastParametersKey);
    return Array.isArray(stored) ? stored.flatMap(entry => decodeEntry(entry) ?? []) : [];
  }
}

const isSameSet = (one: Entry['sets'][number], other: Entry['sets'][number]): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** Line breaks and indentation do not make another statement. */
function hashOf(sql: string): string {
  return createHash('sha256').update(sql.replaceAll(/\s+/g, ' ').trim()).digest('base64url');
}
