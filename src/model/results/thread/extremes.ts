import { shownLength, textOf } from '../../../protocol/shownValues.ts';
import { numberClass } from './compare.ts';
import { shownPart } from './shownPart.ts';

/** A value for comparing: a number with its rounding error, or the bytes of a text. */
export interface Comparable {
  readonly kind: number;
  readonly number: number;
  readonly roundingError: number;
  readonly text: Uint8Array;
  readonly from: number;
  readonly to: number;
}

function compareValues(one: Comparable, other: Comparable): number {
  if (one.kind !== other.kind) return one.kind - other.kind;
  if (one.kind === numberClass) {
    if (one.number === other.number) return one.roundingError - other.roundingError;
    return one.number < other.number ? -1 : 1;
  }
  const first = one.text;
  const second = other.text;
  let beside = other.from;
  for (let at = one.from; ; at++) {
    if (at >= one.to || beside >= other.to) return one.to - at - (other.to - beside);
    if (first[at] !== second[beside]) return first[at]! - second[beside]!;
    beside++;
  }
}

/** The least or the greatest value so far. */
export class Extreme {
  readonly #sign: number;
  #best: (Comparable & { readonly shown: string }) | undefined;

  constructor(sign: -1 | 1) {
    this.#sign = sign;
  }

  get shown(): string | undefined {
    return this.#best?.shown;
  }

  /** Copies the bytes of the value: the next rows overwrite them. */
  offer(value: Comparable, bytes: Buffer, from: number, to: number, flags: number): void {
    if (this.#best && compareValues(value, this.#best) * this.#sign <= 0) return;
    const text = value.kind === numberClass ? nothing : value.text.slice(value.from, value.to);
    const shown = textOf(shownPart(bytes, from, to, flags, shownLength));
    this.#best = { ...value, text, from: 0, to: text.length, shown };
  }
}

const nothing = new Uint8Array(0);
