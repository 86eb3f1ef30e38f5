import * as vscode from 'vscode';
import type { Profile } from '../../model/profiles.ts';
import { commandId } from '../names.ts';
import { decide, projectLook } from '../questions.ts';
import { findReusableKey, type ReusableKey } from './keyEntries.ts';
import { addressOf, nameOf } from './keyNames.ts';
import type { KeyStore } from './keyStore.ts';

/**
 * If a project has no key, asks whether the key of another path may be used. The path may come from workspace settings, so no
 * key goes there without an answer. The answer is stored. A dismissed question is not asked again in this window.
 */
export class KeyReuse {
  readonly #keys: KeyStore;
  readonly #questions = new Map<string, Promise<void>>();

  constructor(keys: KeyStore) {
    this.#keys = keys;
  }

  /** The key that the project has after the question; undefined if it has none. Calls at the same time share a question. */
  async keyFor(profile: Profile): Promise<string | undefined> {
    const name = nameOf(profile);
    let asking = this.#questions.get(name);
    if (!asking) {
      const reusable = await findReusableKey(this.#keys, profile);
      if (!reusable) return this.#keys.get(profile);
      asking = this.#questions.get(name) ?? this.#ask(profile, reusable);
      this.#questions.set(name, asking);
      // A failed question is asked again.
      asking.catch(() => this.#questions.delete(name));
    }
    await asking;
    return this.#keys.get(profile);
  }

  async #ask(profile: Profile, reusable: ReusableKey): Promise<void> {
    const useKey = vscode.l10n.t('Use Key');
    const setAnother = vscode.l10n.t('Set Another API Key');
    const chosen = await decide(
      vscode.l10n.t(
        "The API key of '{0}' was set for {1}. Use it for {2} too?",
        profile.name,
        reusable.address,
        addressOf(profile),
      ),
      profile.scope === 'workspace'
        ? vscode.l10n.t('The new address comes from the workspace settings. Check that you trust it.')
        : vscode.l10n.t('The key is sent to the new address only if you agree.'),
      projectLook(profile),
      [useKey, setAnother],
    );
    if (chosen === useKey) await this.#keys.setEntered(profile, reusable.storedKey.key);
    if (chosen !== setAnother) return;
    await this.#keys.decline(profile);
    await vscode.commands.executeCommand(commandId('setKey'), profile.id);
  }
}
