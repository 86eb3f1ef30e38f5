import { join } from 'node:path';
import { after } from 'node:test';
import { contentOf, downloadTo, emptyProject, uploadFrom } from './transferProject.ts';
import { temporaryFolder } from './temporaryFolder.ts';
import { openTestService, type TestService } from './testService.ts';
import { openWorkerdService } from './workerdService.ts';

/** The local service, and the Worker for a platform of Durable Objects. */
export type EngineName = 'sqlite' | 'worker';

/** Services with all engines for the tests of a file, and a folder for their files. */
export class EngineServices {
  readonly folder: string;
  readonly #services: ReadonlyMap<EngineName, TestService & AsyncDisposable>;

  private constructor(folder: string, services: ReadonlyMap<EngineName, TestService & AsyncDisposable>) {
    this.folder = folder;
    this.#services = services;
  }

  static async start(): Promise<EngineServices> {
    const folder = temporaryFolder();
    const services = new Map<EngineName, TestService & AsyncDisposable>([
      ['sqlite', await openTestService()],
      ['worker', await openWorkerdService()],
    ]);
    after(async () => {
      for (const service of services.values()) await service[Symbol.asyncDispose]();
    });
    return new EngineServices(folder, services);
  }

  of(name: EngineName): TestService {
    return this.#services.get(name)!;
  }

  /** Moves a file through new projects of several services, one after the other. Gives what the last file has. */
  async contentBehind(file: string, names: readonly EngineName[]): Promise<Record<string, unknown>> {
    let from = file;
    for (const [nth, name] of names.entries()) {
      const target = await emptyProject(this.of(name));
      await uploadFrom(target, from);
      from = join(this.folder, `${file.replaceAll(/\W/g, '')}-${nth}`);
      await downloadTo(target, from);
    }
    return contentOf(from);
  }
}
