import type { SecretStorage } from 'vscode';

/** VS Code's secret storage as far as keys need it. */
export function secretStorage(): SecretStorage {
  const secrets = new Map<string, string>();
  return {
    keys: () => Promise.resolve([...secrets.keys()]),
    get: name => Promise.resolve(secrets.get(name)),
    store: (name, value) => Promise.resolve(void secrets.set(name, value)),
    delete: name => Promise.resolve(void secrets.delete(name)),
    onDidChange: () => ({ dispose: () => undefined }),
  };
}
