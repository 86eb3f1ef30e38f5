import { keyOf } from '../text/names.ts';

/** Longer names are seldom typed by hand, and comparing them takes long. */
const maxLength = 64;

/** The most names to compare. A schema with more columns is searched in part. */
const maxCandidates = 20_000;

interface NearestNames {
  /** The nearest first. */
  readonly names: readonly string[];
  /** Whether the first one is nearer than all others. */
  readonly isClear: boolean;
}

/** The names that a misspelt one most likely means, by the number of characters that must change. */
export function nearestNames(misspelt: string, candidates: Iterable<string>, count = 3): NearestNames {
  const name = keyOf(misspelt);
  if (name.length > maxLength) return { names: [], isClear: false };
  const maxDistance = Math.max(1, Math.floor(name.length / 3));
  const distances = new Map<string, number>();
  let looked = 0;
  for (const candidate of candidates) {
    if (++looked > maxCandidates) break;
    if (distances.has(candidate) || candidate.length > maxLength) continue;
    const distance = distanceOf(name, keyOf(candidate), maxDistance);
    if (distance < Infinity) distances.set(candidate, distance);
  }
  const sorted = [...distances].toSorted((a, b) => a[1] - b[1] || (a[0] < b[0] ? -1 : 1));
  const [first, second] = sorted;
  return {
    names: sorted.slice(0, count).map(([candidate]) => candidate),
    isClear: first !== undefined && (second === undefined || first[1] < second[1]),
  };
}

/** A shortened name is farther than any typing error. Infinity for a name that is not near. */
function distanceOf(name: string, candidate: string, maxDistance: number): number {
  const distance = editDistance(name, candidate, maxDistance);
  if (distance > 0 && name.length < 4 && !isNearShortName(name, candidate)) return Infinity;
  const isCut = name.length >= 4 && (candidate.startsWith(name) || candidate.endsWith(name));
  return isCut ? Math.min(distance, maxDistance + 0.5) : distance;
}

/** One typo changes a third of a name of three letters. A short name is near only if it begins alike, or lacks or swaps its first letter. */
function isNearShortName(name: string, candidate: string): boolean {
  const isSwapped = name[0] === candidate[1] && name[1] === candidate[0];
  return name[0] === candidate[0] || isSwapped || candidate.slice(1) === name;
}

/** How many characters must be inserted, deleted, replaced or swapped with their neighbour. Infinity beyond a maximum. */
export function editDistance(a: string, b: string, max: number): number {
  if (Math.abs(a.length - b.length) > max) return Infinity;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    let least = row;
    for (let column = 1; column <= b.length; column++) {
      const isSame = a[row - 1] === b[column - 1];
      let distance = Math.min(last[column - 1]! + (isSame ? 0 : 1), last[column]! + 1, current[column - 1]! + 1);
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (isSwap) distance = Math.min(distance, beforeLast[column - 2]! + 1);
      current.push(distance);
      least = Math.min(least, distance);
    }
    if (least > max) return Infinity;
    beforeLast = last;
    last = current;
  }
  return last[b.length]! <= max ? last[b.length]! : Infinity;
}
