/** A value that is loaded with the first call. Later calls share the promise, and a call after a failure loads again. */
export interface Lazy<T> {
  (): Promise<T>;
  /** Undefined until loading starts. A caller can dispose only what was loaded. */
  readonly loaded: Promise<T> | undefined;
}

export function lazy<T>(load: () => Promise<T>): Lazy<T> {
  let loaded: Promise<T> | undefined;
  const get = (): Promise<T> => {
    if (loaded) return loaded;
    const loading = load();
    loaded = loading;
    loading.catch(() => {
      loaded = undefined;
    });
    return loading;
  };
  return Object.defineProperty(get, 'loaded', { get: () => loaded }) as Lazy<T>;
}
