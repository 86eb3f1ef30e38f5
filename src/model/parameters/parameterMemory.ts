import { createHash } from 'node:crypto';
import { asArrayOf, asRecord, asString } from '../../base/shape.ts';
import { parameterTypes, type TypedValue } from './parameterValue.ts';

/** Where an editor keeps something for a workspace. */
export interface Memory {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

const storageKey = 'sqlProjects.parameters';
const mostStatements = 200;
/** What is longer is asked for anew: this is no place to keep documents. */
const longestText = 10_000;

/** The values that the parameters of a statement had the last time, for the statements that were run last. */
export class ParameterMemory {
  readonly #memory: Memory;

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  /** In the order of the `?`; undefined where there was none, or none that was kept. */
  recall(sql: string): readonly (TypedValue | undefined)[] {
    const name = nameOf(sql);
    return this.#entries().find(entry => entry.name === name)?.values ?? [];
  }

  async remember(sql: string, values: readonly TypedValue[]): Promise<void> {
    const name = nameOf(sql);
    const kept = values.map(value => (value.text.length > longestText ? null : value));
    const others = this.#entries().filter(entry => entry.name !== name);
    const entries = [{ name, values: kept }, ...others].slice(0, mostStatements);
    await this.#memory.update(storageKey, entries);
  }

  #entries(): readonly { readonly name: string; readonly values: readonly (TypedValue | undefined)[] }[] {
    const stored = this.#memory.get(storageKey);
    if (!Array.isArray(stored)) return [];
    return stored.flatMap((entry: unknown) => {
      const record = asRecord(entry);
      const [name, values] = [asString(record?.['name']), asArrayOf(record?.['values'], decodeKept)];
      return name === undefined || !values ? [] : [{ name, values: values.map(({ value }) => value) }];
    });
  }
}

/** Wrapped, because none is a value too here. */
function decodeKept(kept: unknown): { readonly value: TypedValue | undefined } {
  const record = asRecord(kept);
  const type = parameterTypes.find(known => known === record?.['type']);
  const text = asString(record?.['text']);
  return { value: type === undefined || text === undefined ? undefined : { type, text } };
}

/** A statement is the same however its lines are broken. */
function nameOf(sql: string): string {
  return createHash('sha256').update(sql.replaceAll(/\s+/g, ' ').trim()).digest('base64url');
}
