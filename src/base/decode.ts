/**
 * Reads `unknown` values: settings, messages, bodies and files are decoded once, where they come in.
 *
 * A decoder never throws. It returns undefined if the value does not fit. Larger decoders are made of smaller ones, and `Infer`
 * gives their type:
 *
 *     const decodeSortKey = object({ column: asCount, descending: isTrue });
 *     type SortKey = Infer<typeof decodeSortKey>;
 */
export type Decoder<T> = (value: unknown) => T | undefined;

export type Infer<D> = D extends Decoder<infer T> ? T : never;

export type UnknownRecord = Readonly<Record<string, unknown>>;

export function asRecord(value: unknown): UnknownRecord | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as UnknownRecord) : undefined;
}

export function asArray(value: unknown): readonly unknown[] | undefined {
  return Array.isArray(value) ? (value as readonly unknown[]) : undefined;
}

export function asString(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export function asNonBlankString(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** Any number but NaN. */
export function asNumber(value: unknown): number | undefined {
  return typeof value === 'number' && !Number.isNaN(value) ? value : undefined;
}

/** A whole number from 0 on that a double holds exactly. */
export function asCount(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

export function asBoolean(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

/** For flags that may be left out: everything but `true` is false. */
export const isTrue = (value: unknown): boolean => value === true;

export function oneOf<const T extends string | number | boolean | null>(constants: readonly T[]): Decoder<T> {
  return value => constants.find(constant => constant === value);
}

interface FieldOf<Presence, T> {
  readonly presence: Presence;
  readonly decode: Decoder<T>;
  readonly isLenient: boolean;
}

type OptionalField<T> = FieldOf<'optional', T>;
type UndefinableField<T> = FieldOf<'undefinable', T>;

/** The key is left out where the value is missing. If the value does not fit, the whole object does not. */
export function optional<T>(decode: Decoder<T>): OptionalField<T> {
  return { presence: 'optional', decode, isLenient: false };
}

/** The key is always there, with undefined for a missing value. If the value does not fit, the whole object does not. */
export function orUndefined<T>(decode: Decoder<T>): UndefinableField<T> {
  return { presence: 'undefinable', decode, isLenient: false };
}

/** Treats a value that does not fit as missing. Use it for fields of services, which may hold anything. */
export function lenient<F extends OptionalField<unknown> | UndefinableField<unknown>>(field: F): F {
  return { ...field, isLenient: true };
}

type Field = Decoder<unknown> | OptionalField<unknown> | UndefinableField<unknown>;
type Fields = Readonly<Record<string, Field>>;

type OptionalKeys<F> = { [K in keyof F]: F[K] extends OptionalField<unknown> ? K : never }[keyof F];
type FieldType<D> =
  D extends UndefinableField<infer T> ? T | undefined : D extends OptionalField<infer T> ? T : Infer<D>;
/** Shows the members of an intersection as one object in editors and error messages. */
type Flat<T> = { readonly [K in keyof T]: T[K] };

type ObjectOf<F extends Fields> = Flat<
  { [K in Exclude<keyof F, OptionalKeys<F>>]: FieldType<F[K]> } & { [K in OptionalKeys<F>]?: FieldType<F[K]> }
>;

/** An object with these fields. Other fields of the value are dropped. `nameIn` gives the name of a field in the value. */
export function object<const F extends Fields>(fields: F, nameIn = (key: string): string => key): Decoder<ObjectOf<F>> {
  const entries = Object.entries<Field>(fields).map(([key, field]) => ({ key, name: nameIn(key), field }));
  return input => {
    const record = asRecord(input);
    if (!record) return undefined;
    const decoded: Record<string, unknown> = {};
    for (const { key, name, field } of entries) {
      const member = record[name];
      if (typeof field === 'function') {
        const required = field(member);
        if (required === undefined) return undefined;
        decoded[key] = required;
      } else {
        const value = member === undefined ? undefined : field.decode(member);
        if (value === undefined && member !== undefined && !field.isLenient) return undefined;
        if (value !== undefined || field.presence === 'undefinable') decoded[key] = value;
      }
    }
    return decoded as ObjectOf<F>;
  };
}

type VariantOf<Tag extends string, V extends Readonly<Record<string, Decoder<object>>>> = {
  [K in keyof V]: Flat<Readonly<Record<Tag, K>> & Infer<V[K]>>;
}[keyof V];

/** A union of objects that the constant in the field `tag` distinguishes. */
export function variant<const Tag extends string, const V extends Readonly<Record<string, Decoder<object>>>>(
  tag: Tag,
  variants: V,
): Decoder<VariantOf<Tag, V>> {
  return value => {
    const name = asString(asRecord(value)?.[tag]);
    if (name === undefined || !Object.hasOwn(variants, name)) return undefined;
    const members = variants[name]?.(value);
    return members && ({ [tag]: name, ...members } as VariantOf<Tag, V>);
  };
}

/** An object whose keys are data: every value is decoded in the same way. */
export function recordOf<T>(decode: Decoder<T>): Decoder<Readonly<Record<string, T>>> {
  return value => {
    const record = asRecord(value);
    if (!record) return undefined;
    const entries: [string, T][] = [];
    for (const [key, member] of Object.entries(record)) {
      const decoded = decode(member);
      if (decoded === undefined) return undefined;
      entries.push([key, decoded]);
    }
    return Object.fromEntries(entries);
  };
}

export function arrayOf<T>(decode: Decoder<T>, maxLength = Infinity): Decoder<readonly T[]> {
  return value => {
    const elements = asArray(value);
    if (!elements || elements.length > maxLength) return undefined;
    const decoded: T[] = [];
    for (const element of elements) {
      const decodedElement = decode(element);
      if (decodedElement === undefined) return undefined;
      decoded.push(decodedElement);
    }
    return decoded;
  };
}

type TypeGuard<T> = (value: unknown) => value is T;

export function arrayWhere<T>(isElement: TypeGuard<T>): TypeGuard<readonly T[]> {
  return (value): value is readonly T[] => Array.isArray(value) && value.every(isElement);
}

/** Gives the value itself. Use it for large values, such as windows of rows, which must not be copied. */
export function unchanged<T>(isValid: TypeGuard<T>): Decoder<T> {
  return value => (isValid(value) ? value : undefined);
}

export function nullable<T>(decode: Decoder<T>): Decoder<T | null> {
  return value => (value === null ? null : decode(value));
}

export function firstOf<const D extends readonly Decoder<unknown>[]>(...decoders: D): Decoder<Infer<D[number]>> {
  return value => {
    for (const decode of decoders) {
      const decoded = decode(value);
      if (decoded !== undefined) return decoded as Infer<D[number]>;
    }
    return undefined;
  };
}

export function withDefault<T, const Fallback>(
  decode: Decoder<T>,
  fallback: Fallback,
): (value: unknown) => T | Fallback {
  return value => decode(value) ?? fallback;
}

/** Return undefined from `make` to refuse the decoded value. */
export function map<T, U>(decode: Decoder<T>, make: (value: T) => U | undefined): Decoder<U> {
  return value => {
    const decoded = decode(value);
    return decoded === undefined ? undefined : make(decoded);
  };
}

export function refine<T>(decode: Decoder<T>, isAllowed: (value: T) => boolean): Decoder<T> {
  return map(decode, value => (isAllowed(value) ? value : undefined));
}

export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
