/** The first index whose item matches, by binary search: all items after a match must match too. */
export function partitionPoint<T>(list: readonly T[], matches: (item: T) => boolean): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (matches(list[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}
