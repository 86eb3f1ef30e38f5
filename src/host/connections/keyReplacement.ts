import * as vscode from 'vscode';
import type { Client } from '../../client/index.ts';
import type { Profile } from '../../model/profiles.ts';
import { confirm, projectLook } from '../questions.ts';
import { isKeyFault } from '../remedies.ts';
import { type KeyStore, isKey } from './keyStore.ts';

const abilityTexts = () => ({
  full: vscode.l10n.t('it may read and write'),
  read: vscode.l10n.t('it may only read'),
  rejected: vscode.l10n.t('the service rejects it'),
  unknown: vscode.l10n.t('the service does not say what it may do'),
});

/** Asks before a key replaces one with other rights. `key` is undefined if a local service is going to issue it. */
export async function confirmReplacement(
  keys: KeyStore,
  profile: Profile,
  key: string | undefined,
  open: (key: string) => Promise<Client>,
): Promise<boolean> {
  const stored = await keys.stored(profile);
  if (!stored || stored.key === key) return true;
  const abilityOf = async (tested: string): Promise<keyof ReturnType<typeof abilityTexts>> => {
    try {
      await using client = await open(tested);
      return (await client.projectStatus(profile.projectId, { retries: 0 })).keyScope ?? 'unknown';
    } catch (thrown) {
      return isKeyFault(thrown) ? 'rejected' : 'unknown';
    }
  };
  // An issued key is `full`. It is not tested: it goes only to a service that has proven itself.
  const before = stored.issuedAs === undefined ? await abilityOf(stored.key) : 'full';
  const after = key === undefined ? 'full' : await abilityOf(key);
  if (before === 'rejected' || (before === after && before !== 'unknown')) return true;
  const texts = abilityTexts();
  const detail = vscode.l10n.t('The present key: {0}. The new key: {1}.', texts[before], texts[after]);
  const question = vscode.l10n.t("Replace the API key of '{0}'?", profile.name);
  return confirm(question, detail, projectLook(profile), vscode.l10n.t('Replace API Key'));
}

export const keyFault = (text: string): string | undefined =>
  isKey(text) ? undefined : vscode.l10n.t('An API key has no spaces or control characters.');

/** A refused answer is accepted when the user repeats it: the service may be wrong, or not ready yet. */
export const withRepeatHint = (message: string): string =>
  vscode.l10n.t('{0} Press Enter again to use it anyway.', message);
