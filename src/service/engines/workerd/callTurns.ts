type Release = () => void;

interface WaitingTurn {
  readonly isAlone: boolean;
  readonly begin: () => void;
}

/**
 * Gives calls their turns, in the order in which they come. A call that cannot be repeated has its turn alone: if the process
 * is ended during that turn, it is certain which call it worked for.
 */
export class CallTurns {
  readonly #waitingTurns: WaitingTurn[] = [];
  #runningCount = 0;
  #isAlone = false;

  /** Resolves when the turn begins. The function ends it. */
  async begin(isAlone: boolean): Promise<Release> {
    if (this.#waitingTurns.length > 0 || !this.#mayBegin(isAlone)) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#waitingTurns.push({ isAlone, begin: resolve });
      await promise;
    } else {
      this.#enter(isAlone);
    }
    return () => this.#leave();
  }

  #mayBegin(isAlone: boolean): boolean {
    return this.#runningCount === 0 || (!isAlone && !this.#isAlone);
  }

  #enter(isAlone: boolean): void {
    this.#runningCount++;
    this.#isAlone = isAlone;
  }

  #leave(): void {
    this.#runningCount--;
    if (this.#runningCount === 0) this.#isAlone = false;
    for (let next = this.#waitingTurns[0]; next && this.#mayBegin(next.isAlone); next = this.#waitingTurns[0]) {
      this.#waitingTurns.shift();
      this.#enter(next.isAlone);
      next.begin();
    }
  }
}
