import { t } from '@vscode/l10n';
import { ProjectError } from '../../src/base/errors.ts';
import { abortedCode } from '../../src/protocol/bridge.ts';
import { element, setText } from './element.ts';
import { visibleText } from './visibleText.ts';

/** Shows the failure of a call to the host. Empty while nothing has failed. */
export class CallAlert {
  readonly root = element('p', 'failure', { role: 'alert' });

  /** Clears an earlier failure, and shows that of the call. */
  watch(call: Promise<unknown>): void {
    this.clear();
    void call.catch((thrown: unknown) => this.show(thrown));
  }

  show(thrown: unknown): void {
    // The user ended the call.
    if (thrown instanceof ProjectError && thrown.code === abortedCode) return;
    // The host has answered with a failure whose message is for the user.
    const fromHost = thrown instanceof ProjectError && thrown.kind === 'service' ? thrown.message : '';
    const message = fromHost || t('The action failed. Try again, or reload the window.');
    setText(this.root, visibleText(message, { keepLines: true }));
  }

  clear(): void {
    setText(this.root, '');
  }
}
