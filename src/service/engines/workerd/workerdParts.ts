import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { messageOf } from '../../../base/errors.ts';

/** The text that the engine runs. */
export interface WorkerdParts {
  /** The path of workerd. */
  readonly program: string;
  /** The text of the Worker with the stores of the projects. */
  readonly worker: string;
}

/** Finds workerd in the package of that name, which is installed on demand: it has 150 MB. */
export function findWorkerd(): WorkerdParts {
  return { program: programPath(), worker: readFileSync(workerFile(), 'utf8') };
}

function programPath(): string {
  try {
    const { default: program } = createRequire(import.meta.url)('workerd') as { default: string };
    return program;
  } catch (cause) {
    throw new Error(
      `The engine needs the package workerd, which cannot be loaded: ${firstLine(messageOf(cause))}. Run the command as: npx -p sql-project-explorer -p workerd sql-project-explorer …`,
      { cause },
    );
  }
}

const firstLine = (text: string): string => text.split('\n', 1)[0]!;

/** The build writes the Worker beside the service. */
function workerFile(): URL {
  const beside = new URL('storeWorker.mjs', import.meta.url);
  return existsSync(beside) ? beside : new URL('../../../../dist/storeWorker.mjs', import.meta.url);
}
