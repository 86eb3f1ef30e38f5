import { createHash } from 'node:crypto';
import { arrayOf, asString, type Infer, nullable, object, oneOf } from '../../base/decode.ts';
import { lastParametersKey, type WorkspaceStorage } from '../savedValues.ts';
import { parameterTypes, type TypedValue } from './parameterValues.ts';

const maxStatements = 200;
/** Longer values are not remembered: workspace storage is no place for documents. */
const maxTextLength = 10_000;

/** JSON has no undefined, so null stands for a value that was not remembered. */
const decodeEntry = object({
  statementHash: asString,
  values: arrayOf(nullable(object({ type: oneOf(parameterTypes), text: asString }))),
});
type Entry = Infer<typeof decodeEntry>;

export interface ParameterMemoryParts {
  readonly storage: WorkspaceStorage;
  /** Whether values may be stored. Otherwise they are forgotten with the window. */
  readonly savesValues: () => boolean;
}

/** Remembers the last parameter values of the statements that were run last. */
export class ParameterMemory {
  readonly #parts: ParameterMemoryParts;
  #entries: readonly Entry[] | undefined;

  constructor(parts: ParameterMemoryParts) {
    this.#parts = parts;
  }

  /** The values in the order of the `?`; undefined where none was remembered. */
  recall(sql: string): readonly (TypedValue | undefined)[] {
    const statementHash = hashOf(sql);
    const entry = this.#remembered().find(other => other.statementHash === statementHash);
    return entry?.values.map(value => value ?? undefined) ?? [];
  }

  async remember(sql: string, values: readonly TypedValue[]): Promise<void> {
    const statementHash = hashOf(sql);
    const entry: Entry = {
      statementHash,
      values: values.map(value => (value.text.length > maxTextLength ? null : value)),
    };
    const others = this.#remembered().filter(other => other.statementHash !== statementHash);
    this.#entries = [entry, ...others].slice(0, maxStatements);
    const { storage, savesValues } = this.#parts;
    if (savesValues()) await storage.update(lastParametersKey, this.#entries);
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

/** Line breaks and indentation do not make another statement. */
function hashOf(sql: string): string {
  return createHash('sha256').update(sql.replaceAll(/\s+/g, ' ').trim()).digest('base64url');
}
