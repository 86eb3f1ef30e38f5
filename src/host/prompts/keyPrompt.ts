import { l10n } from 'vscode';
import { isKey } from '../connections/keyStore.ts';

/** Says why a text cannot be a key. */
export const keyFault = (text: string): string | undefined =>
  isKey(text) ? undefined : l10n.t('An API key has no spaces or control characters.');

/** A refused answer is taken when the user repeats it: the service may be wrong, or not ready yet. */
export const withRepeatHint = (message: string): string => l10n.t('{0} Press Enter again to use it anyway.', message);
