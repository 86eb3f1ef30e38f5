/** How SQLite converts the values of a column: https://sqlite.org/datatype3.html#determination_of_column_affinity */
export type Affinity = 'integer' | 'text' | 'blob' | 'real' | 'numeric';

/** The affinity of a column with a declared type. The order of the tests matters: a `FLOATING POINT` is an integer. */
export function affinityOf(declaredType: string): Affinity {
  if (/INT/i.test(declaredType)) return 'integer';
  if (/CHAR|CLOB|TEXT/i.test(declaredType)) return 'text';
  if (declaredType === '' || /BLOB/i.test(declaredType)) return 'blob';
  return /REAL|FLOA|DOUB/i.test(declaredType) ? 'real' : 'numeric';
}

/**
 * Whether the author of a column means numbers. Columns of other numeric types, such as DATE or STRING, mostly hold text,
 * because SQLite stores text that is not a number unchanged.
 */
export function isForNumbers(declaredType: string): boolean {
  switch (affinityOf(declaredType)) {
    case 'integer':
      // SQLite finds INT in these types as well.
      return !/^(?:interval|point)\b/i.test(declaredType);
    case 'numeric':
      return /^(?:numeric|decimal|number|bool)/i.test(declaredType);
    case 'real':
      return true;
    default:
      return false;
  }
}

/** Whether a text is a whole number that SQLite stores as a REAL, without its last digits. */
export function exceedsInteger(text: string): boolean {
  const [, sign, digits] = /^[\t-\r ]*([+-]?)0*([1-9]\d{18,})[\t-\r ]*$/.exec(text) ?? [];
  if (digits === undefined) return false;
  const integer = digits.length > 19 ? undefined : BigInt(sign === '-' ? `-${digits}` : digits);
  return integer === undefined || BigInt.asIntN(64, integer) !== integer;
}

/** Whether SQLite converts a text to a number to compare it with a number. */
export const isNumericText = (text: string): boolean =>
  /^[\t-\r ]*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?[\t-\r ]*$/i.test(text);
