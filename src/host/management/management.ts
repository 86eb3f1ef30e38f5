import type { Disposable } from '../../base/disposable.ts';
import { SettingsPage, type SettingsPageParts } from './settingsPage.ts';

/** All that somebody who manages projects needs, and nobody else: a file of its own, read when it is first asked for. */
export class Management implements Disposable {
  readonly #page: SettingsPage;

  constructor(parts: SettingsPageParts) {
    this.#page = new SettingsPage(parts);
  }

  openPage(): void {
    this.#page.open();
  }

  dispose(): void {
    this.#page.dispose();
  }
}
