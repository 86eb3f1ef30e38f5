import { ProjectError } from '../../src/base/errors.ts';
import type { SendStatement } from '../../src/model/importing/importRun.ts';
import type { KillableService } from './killableService.ts';

/** A window that is killed stops at once: only its last journal is left. */
class Killed extends Error {}

interface FaultyWindowOptions {
  readonly service: KillableService;
  readonly random: () => number;
  /** Starting a service takes seconds. */
  readonly maxKills: number;
  /** The share of calls, and of writes of the journal, that meet a fault. */
  readonly shares: { readonly send: number; readonly journal: number };
}

/** A window with faults at random points: an answer is lost, the window dies, or the service dies. */
export class FaultyWindow {
  readonly counts = { kills: 0, lost: 0, windows: 0 };
  isDead = false;
  readonly #options: FaultyWindowOptions;
  #faultsLeft = 0;

  constructor(options: FaultyWindowOptions) {
    this.#options = options;
  }

  /** Must be called for each run. Faults stop after a while, so that the run ends. */
  expectFaults(): void {
    this.#faultsLeft = 4;
  }

  isFault(share = this.#options.shares.send): boolean {
    return this.#faultsLeft > 0 && this.#options.random() < share && this.#faultsLeft-- > 0;
  }

  readonly send: SendStatement = async (request, options) => {
    const { service, random, maxKills } = this.#options;
    const execute = async () => service.client.execSql(service.projectId, request, options);
    if (!this.isFault()) return execute();
    switch (Math.floor(random() * (this.counts.kills < maxKills ? 4 : 3))) {
      case 0:
        await execute().catch(() => undefined);
        return this.#loseAnswer();
      case 1:
        return this.#loseAnswer();
      case 2:
        // The window dies before or after the call.
        if (random() < 0.5) await execute().catch(() => undefined);
        return this.#die();
      default: {
        // The service dies while it has the call.
        this.counts.kills++;
        const pending = execute();
        pending.catch(() => undefined);
        if (random() < 0.5) await new Promise(setImmediate);
        await service.killAndRestart();
        return pending;
      }
    }
  };

  /** A dead window writes nothing more. It may also die before it writes. */
  readonly beforeJournal = (): void => {
    if (this.isDead) throw new Killed();
    if (this.isFault(this.#options.shares.journal)) this.#die();
  };

  #loseAnswer(): never {
    this.counts.lost++;
    throw new ProjectError('transport', 'connection_lost', 'The connection was lost.');
  }

  #die(): never {
    this.counts.windows++;
    this.isDead = true;
    throw new Killed();
  }
}
