import type { Connection } from 'vscode-languageserver/node';
import type { Decoder } from '../base/decode.ts';
import { Emitter } from '../base/emitter.ts';

/** The user's settings. Each value is cached until the user changes any setting. */
export class LanguageSettings {
  readonly #connection: Connection;
  readonly #values = new Map<string, Promise<unknown>>();
  readonly #changes = new Emitter<void>();

  readonly onDidChange = this.#changes.on;

  constructor(connection: Connection) {
    this.#connection = connection;
    connection.onDidChangeConfiguration(() => {
      this.#values.clear();
      this.#changes.fire();
    });
  }

  /** `name` is a setting below `sqlProjects`, such as `format`. Undefined if it is not set or not valid. */
  async get<T>(name: string, decode: Decoder<T>, uri: string): Promise<T | undefined> {
    const key = `${name}\n${uri}`;
    const value: Promise<unknown> =
      this.#values.get(key) ??
      this.#connection.workspace.getConfiguration({ section: `sqlProjects.${name}`, scopeUri: uri });
    this.#values.set(key, value);
    try {
      return decode(await value);
    } catch {
      // An editor without settings refuses the request. Then the defaults apply.
      return undefined;
    }
  }

  /** Drops the values for a closed document. */
  forget(uri: string): void {
    for (const key of this.#values.keys()) if (key.endsWith(`\n${uri}`)) this.#values.delete(key);
  }
}
