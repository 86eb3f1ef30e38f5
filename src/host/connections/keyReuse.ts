import * as vscode from 'vscode';
import type { Profile } from '../../model/profiles.ts';
import { commandId } from '../names.ts';
import { decide, projectLook } from '../questions.ts';
import { findReusableKey, type ReusableKey } from './keyEntries.ts';
import { addressOf, nameOf, type KeyStore } from './keyStore.ts';

/**
 * If a project has no key, asks whether the key of another path may be used. The path may come from workspace settings, so no
 * key goes there without an answer. The answer is stored. A dismissed question is not asked again in this window.
 *
 * The function gives the key that the project has after the question. Calls at the same time share a question.
 */
export function keyReuse(keys: KeyStore): (profile: Profile) => Promise<string | undefined> {
  const questions = new Map<string, Promise<void>>();
  return async profile => {
    const name = nameOf(profile);
    let asking = questions.get(name);
    if (!asking) {
      const reusable = await findReusableKey(keys, profile);
      if (!reusable) return keys.get(profile);
      asking = questions.get(name) ?? ask(keys, profile, reusable);
      questions.set(name, asking);
      // A failed question is asked again.
      asking.catch(() => questions.delete(name));
    }
    await asking;
    return keys.get(profile);
  };
}

async function ask(keys: KeyStore, profile: Profile, { address, storedKey }: ReusableKey): Promise<void> {
  const useKey = vscode.l10n.t('Use Key');
  const setAnother = vscode.l10n.t('Set Another API Key');
  const chosen = await decide(
    vscode.l10n.t(
      "The API key of '{0}' was set for {1}. Use it for {2} too?",
      profile.name,
      address,
      addressOf(profile),
    ),
    profile.scope === 'workspace'
      ? vscode.l10n.t('The new address comes from the workspace settings. Check that you trust it.')
      : vscode.l10n.t('The key is sent to the new address only if you agree.'),
    projectLook(profile),
    [useKey, setAnother],
  );
  if (chosen === useKey) await keys.setEntered(profile, storedKey.key);
  if (chosen !== setAnother) return;
  await keys.decline(profile);
  await vscode.commands.executeCommand(commandId('setKey'), profile.id);
}
