import { abortedCode } from '../../src/protocol/bridge.ts';
import { ProjectError } from '../../src/base/errors.ts';
import { element } from './element.ts';

/** Where a page tells of calls to the host that failed. It is empty while there is nothing to tell. */
export class CallAlert {
  readonly root = element('p', 'failure');
  readonly #fallback: string;

  /** `fallback` is said of failures that the host has no sentence for. */
  constructor(fallback: string) {
    this.#fallback = fallback;
    this.root.setAttribute('role', 'alert');
  }

  /** Tells when the call fails. What was told of an earlier one is over. */
  watch(call: Promise<unknown>): void {
    this.clear();
    void call.catch((thrown: unknown) => this.show(thrown));
  }

  show(thrown: unknown): void {
    // Whoever ended it knows.
    if (thrown instanceof ProjectError && thrown.code === abortedCode) return;
    const fromHost = thrown instanceof ProjectError && thrown.kind === 'service' ? thrown.message : '';
    this.#say(fromHost || this.#fallback);
  }

  clear(): void {
    this.#say('');
  }

  /** Text that is set again would be read out again. */
  #say(sentence: string): void {
    if (this.root.textContent !== sentence) this.root.textContent = sentence;
  }
}
