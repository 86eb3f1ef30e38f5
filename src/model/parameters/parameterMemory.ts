import { createHash } from 'node:crypto';
import { arrayOf, asString, type Infer, nullable, object, oneOf } from '../../base/decode.ts';
import { parameterTypes, type TypedValue } from './parameterValues.ts';

/** Storage for a workspace, such as VS Code's `Memento`. */
export interface WorkspaceStorage {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

const storageKey = 'sqlProjects.parameters';
const maxStatements = 200;
/** Longer values are not remembered: workspace storage is no place for documents. */
const maxTextLength = 10_000;

/** JSON has no undefined, so null stands for a value that was not remembered. */
const decodeEntry = object({
  statementHash: asString,
  values: arrayOf(nullable(object({ type: oneOf(parameterTypes), text: asString }))),
});
type Entry = Infer<typeof decodeEntry>;

/** Remembers the last parameter values of the statements that were run last. */
export class ParameterMemory {
  readonly #storage: WorkspaceStorage;

  constructor(storage: WorkspaceStorage) {
    this.#storage = storage;
  }

  /** The values in the order of the `?`; undefined where none was remembered. */
  recall(sql: string): readonly (TypedValue | undefined)[] {
    const statementHash = hashOf(sql);
    const entry = this.#entries().find(other => other.statementHash === statementHash);
    return entry?.values.map(value => value ?? undefined) ?? [];
  }

  async remember(sql: string, values: readonly TypedValue[]): Promise<void> {
    const statementHash = hashOf(sql);
    const entry: Entry = {
      statementHash,
      values: values.map(value => (value.text.length > maxTextLength ? null : value)),
    };
    const others = this.#entries().filter(other => other.statementHash !== statementHash);
    await this.#storage.update(storageKey, [entry, ...others].slice(0, maxStatements));
  }

  #entries(): Entry[] {
    const stored = this.#storage.get(storageKey);
    return Array.isArray(stored) ? stored.flatMap(entry => decodeEntry(entry) ?? []) : [];
  }
}

/** Line breaks and indentation do not make another statement. */
function hashOf(sql: string): string {
  return createHash('sha256').update(sql.replaceAll(/\s+/g, ' ').trim()).digest('base64url');
}
