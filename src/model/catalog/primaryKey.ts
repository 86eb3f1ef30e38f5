/** The columns of the primary key, in its order. */
export const primaryKeyOf = (columns: readonly { readonly name: string; readonly primaryKey: number }[]): string[] =>
  columns
    .filter(({ primaryKey }) => primaryKey > 0)
    .toSorted((one, other) => one.primaryKey - other.primaryKey)
    .map(({ name }) => name);
