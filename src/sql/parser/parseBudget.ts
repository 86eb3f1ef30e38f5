/** No usual table, view or trigger has a longer statement. */
const maxStatementLength = 64 * 1024;

/** Parsing takes about 0.4 s for a million characters. */
const maxTextLength = 8_000_000;

/** The parser copies the list of columns for each column. A table of 2,000 columns costs 4 million steps, in about 25 ms. */
const maxListSteps = 100_000_000;

/** The statements that can be parsed in a few seconds. A service may send any text, and the parser cannot be interrupted. */
export function statementsWithinBudget(statements: readonly string[]): string[] {
  const isInTime = parsingBudget();
  return statements.filter(statement => statement.length <= maxStatementLength && isInTime(statement));
}

/** Says of one statement after another whether it can be parsed with those before it in a few seconds. */
export function parsingBudget(): (statement: string) => boolean {
  let textLength = 0;
  let listSteps = 0;
  return statement => {
    const steps = commasIn(statement) ** 2;
    if (textLength + statement.length > maxTextLength || listSteps + steps > maxListSteps) return false;
    textLength += statement.length;
    listSteps += steps;
    return true;
  };
}

function commasIn(text: string): number {
  let count = 0;
  for (let index = text.indexOf(','); index >= 0; index = text.indexOf(',', index + 1)) count++;
  return count;
}
