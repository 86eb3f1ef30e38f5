/** The seeds of a random test: a few in `npm test`, all in `npm run test:all`. */
export function seedsOf({ few, all }: { readonly few: number; readonly all: number }): number[] {
  const count = process.env['TEST_ALL'] === '1' ? all : few;
  return Array.from({ length: count }, (_, index) => index + 1);
}
