/**
 * Batches as long as a check lets them through, which the first one has passed already. What the check throws ends them, and
 * what they come from.
 */
export function checkedBatches(batches: AsyncIterable<Uint8Array>, check: () => void): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]() {
      const iterator = batches[Symbol.asyncIterator]();
      let begun = false;
      const leave = async (): Promise<IteratorResult<Uint8Array>> => {
        await iterator.return?.();
        return { done: true, value: undefined };
      };
      return {
        async next() {
          const step = await iterator.next();
          try {
            if (begun && !step.done) check();
            begun = true;
          } catch (thrown) {
            await leave();
            throw thrown;
          }
          return step;
        },
        return: leave,
      };
    },
  };
}
