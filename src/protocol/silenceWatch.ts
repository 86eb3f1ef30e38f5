import type { Clock } from '../base/clock.ts';

/** After half of this time, the host is asked whether it is there. A call may take longer: it may wait for the user. */
const silenceMs = 5000;

export interface SilenceWatchOptions {
  readonly clock: Clock;
  readonly ping: () => void;
  /** Called when the host has sent nothing for a while, although a call waits, and when it is heard again. */
  readonly onSilence: (isSilent: boolean) => void;
}

/** Finds out that the host has ended while a call waits for it: messages to a dead extension host go nowhere, without an error. */
export class SilenceWatch {
  readonly #options: SilenceWatchOptions;
  #cancelTimer: (() => void) | undefined;
  #isSilent = false;

  constructor(options: SilenceWatchOptions) {
    this.#options = options;
  }

  /** A call was sent. */
  begin(): void {
    if (this.#cancelTimer) return;
    const { clock, ping } = this.#options;
    this.#cancelTimer = clock.after(silenceMs / 2, () => {
      this.#cancelTimer = clock.after(silenceMs / 2, () => {
        this.#cancelTimer = undefined;
        this.#tell(true);
      });
      ping();
    });
  }

  /** The host has sent something. */
  heard(): void {
    this.end();
    this.#tell(false);
  }

  end(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }

  #tell(isSilent: boolean): void {
    if (this.#isSilent === isSilent) return;
    this.#isSilent = isSilent;
    this.#options.onSilence(isSilent);
  }
}
