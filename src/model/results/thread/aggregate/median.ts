const initialLength = 1024;
/** More take too much memory. */
const maxNumbers = 1 << 24;

/** Keeps all numbers to find the one in the middle. */
export class Median {
  #numbers = new Float64Array(initialLength);
  #count = 0;
  /** There are too many, or an integer beyond 2^53 is rounded. */
  #isUnknown = false;

  add(number: number): void {
    this.#isUnknown ||= this.#count === maxNumbers || (Number.isInteger(number) && !Number.isSafeInteger(number));
    if (this.#isUnknown) return;
    if (this.#count === this.#numbers.length) {
      const numbers = new Float64Array(this.#count * 2);
      numbers.set(this.#numbers);
      this.#numbers = numbers;
    }
    this.#numbers[this.#count++] = number;
  }

  /** The mean of both numbers in the middle if their count is even. Undefined without numbers, or if it would not be exact. */
  get value(): string | undefined {
    if (this.#isUnknown || this.#count === 0) return undefined;
    const sorted = this.#numbers.subarray(0, this.#count).toSorted();
    const middle = this.#count >> 1;
    const upper = sorted[middle]!;
    return String(this.#count % 2 === 1 ? upper : sorted[middle - 1]! / 2 + upper / 2);
  }
}
