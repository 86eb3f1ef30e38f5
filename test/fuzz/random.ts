/** Random choices from a seed: the same seed gives the same choices. */

export type Random = () => number;

/** Mulberry32: small, and good enough to pick from lists. */
export function seeded(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A whole number from 0 to before `count`. */
export const upTo = (random: Random, count: number): number => Math.floor(random() * count);
export const oneOf = <T>(random: Random, values: readonly T[]): T => values[upTo(random, values.length)]!;
