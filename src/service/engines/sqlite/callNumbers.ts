/** Both ends write them with 32 bits, and below zero they mean something else. */
const largest = 2 ** 31 - 1;

/** Numbers for calls, which come round for a process that is used for weeks. */
export class CallNumbers {
  readonly #isTaken: (number: number) => boolean;
  #last: number;

  constructor(isTaken: (number: number) => boolean, last = 0) {
    this.#isTaken = isTaken;
    this.#last = last;
  }

  next(): number {
    do this.#last = (this.#last % largest) + 1;
    while (this.#isTaken(this.#last));
    return this.#last;
  }
}
