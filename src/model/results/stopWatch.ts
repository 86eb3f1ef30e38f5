/** How long something took, without the time that it was stopped. */
export class StopWatch {
  readonly #now: () => number;
  #startedAt: number;
  #stoppedAt: number | undefined;

  constructor(now: () => number) {
    this.#now = now;
    this.#startedAt = now();
  }

  get elapsedMs(): number {
    return (this.#stoppedAt ?? this.#now()) - this.#startedAt;
  }

  stop(): void {
    this.#stoppedAt ??= this.#now();
  }

  goOn(): void {
    if (this.#stoppedAt === undefined) return;
    this.#startedAt += this.#now() - this.#stoppedAt;
    this.#stoppedAt = undefined;
  }
}
