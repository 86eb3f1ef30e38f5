/** Ends a switch over a union: a member that is added later and forgotten here does not compile. */
export function assertNever(value: never): never {
  throw new TypeError(`Unexpected value: ${JSON.stringify(value)}`);
}
