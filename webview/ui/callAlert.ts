import { ProjectError } from '../../src/base/errors.ts';
import { abortedCode } from '../../src/protocol/bridge.ts';
import { element, setText } from './element.ts';
import { visibleText } from './visibleText.ts';

/** Shows the failure of a call to the host. Empty while nothing has failed. */
export class CallAlert {
  readonly root = element('p', 'failure');
  readonly #fallback: string;

  /** `fallback` is shown for a failure without a message of the host. */
  constructor(fallback: string) {
    this.#fallback = fallback;
    this.root.setAttribute('role', 'alert');
  }

  /** Clears an earlier failure, and shows that of the call. */
  watch(call: Promise<unknown>): void {
    this.clear();
    void call.catch((thrown: unknown) => this.show(thrown));
  }

  show(thrown: unknown): void {
    // The user ended the call.
    if (thrown instanceof ProjectError && thrown.code === abortedCode) return;
    const fromHost = thrown instanceof ProjectError && thrown.kind === 'service' ? thrown.message : '';
    setText(this.root, visibleText(fromHost || this.#fallback, { keepLines: true }));
  }

  clear(): void {
    setText(this.root, '');
  }
}
