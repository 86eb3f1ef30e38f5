import { moveArrangement } from '../../model/results/moveArrangement.ts';
import { isArranged } from '../../protocol/rowQueries.ts';
import { type Run, hasEnded } from '../../model/results/run.ts';

type ArrangedRun = Pick<Run, 'state' | 'columns' | 'queries' | 'onChange'>;

/** Sorts and filters the rows of a run like those of an earlier one, by column name, as soon as its columns are known. */
export function keepArrangement(from: ArrangedRun, to: ArrangedRun): void {
  const { columns } = from;
  const { arrangement: shown, wantedArrangement: arrangement = shown } = from.queries;
  if (!isArranged(arrangement)) return;
  const arrange = (): void => {
    const moved = moveArrangement(arrangement, columns, to.columns);
    // A failure leaves the rows as they came, and the user can sort them again.
    if (isArranged(moved)) to.queries.arrange(moved).catch(() => undefined);
  };
  if (to.columns.length > 0) return arrange();
  if (hasEnded(to)) return;
  const listener = to.onChange(() => {
    if (to.columns.length === 0 && !hasEnded(to)) return;
    // Arranging changes the run again.
    listener.dispose();
    arrange();
  });
}
