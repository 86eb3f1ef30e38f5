/** The expression for the size of a value. The length of a text ends at a NUL character. */
export const bytesOf = (expression: string): string => `length(CAST(${expression} AS BLOB))`;
