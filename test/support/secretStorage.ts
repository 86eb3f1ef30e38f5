import type { SecretStorage, SecretStorageChangeEvent } from 'vscode';

/** VS Code's SecretStorage in memory. Windows of a test share one. */
export function secretStorage(): SecretStorage {
  const secrets = new Map<string, string>();
  const listeners = new Set<(change: SecretStorageChangeEvent) => unknown>();
  const notifyListeners = (key: string): void => listeners.forEach(listener => listener({ key }));
  return {
    keys: () => Promise.resolve([...secrets.keys()]),
    get: name => Promise.resolve(secrets.get(name)),
    store: (name, value) => Promise.resolve(void secrets.set(name, value)).then(() => notifyListeners(name)),
    delete: name => Promise.resolve(void secrets.delete(name)).then(() => notifyListeners(name)),
    onDidChange: listener => {
      listeners.add(listener);
      return { dispose: () => listeners.delete(listener) };
    },
  };
}
