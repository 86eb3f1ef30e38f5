/** Sets a member as JSON.parse does: `__proto__` is an ordinary key. */
export function setMember(into: object, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(into, key, { value, writable: true, enumerable: true, configurable: true });
  } else {
    (into as Record<string, unknown>)[key] = value;
  }
}
