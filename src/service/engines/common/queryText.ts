/** The names that a query gives to the columns of a query within it. */
export const columnList = (count: number): string =>
  Array.from({ length: count }, (_, nth) => `c${nth + 1}`).join(', ');

/** A name that a statement does not use. */
export function unusedName(sql: string): string {
  const lower = sql.toLowerCase();
  for (let number = 0; ; number++) if (!lower.includes(`svc_q${number}`)) return `svc_q${number}`;
}
