import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Clock } from '../../../base/clock.ts';
import { busy } from '../../faults.ts';
import { Channel, nextNumber } from './channel.ts';
import {
  entryBeside,
  fromWatchdog,
  pipeFiles,
  type ProcessLimits,
  type ProjectSettings,
  type ServiceEnd,
  toProcess,
  toService,
  toWatchdog,
} from './projectBridge.ts';
import { closeMs, type PlaceOptions, ProjectPlace, type StoppedCall } from './projectPlace.ts';

/** A process that serves projects. It ends with its last project. */
export class ProjectProcess {
  readonly channel: ServiceEnd;
  /** The places of the open calls, by the numbers of the calls. */
  readonly placesOfCalls = new Map<number, ProjectPlace>();
  readonly exited: Promise<void>;
  readonly #clock: Clock;
  readonly #onShared: () => void;
  readonly #child: ChildProcess;
  readonly #watchdog: Channel<typeof fromWatchdog, typeof toWatchdog>;
  /** By their numbers. */
  readonly #places = new Map<number, ProjectPlace>();
  #lastCall = 0;
  #lastPlace = 0;
  /** The number of the place that blocks the thread. */
  #blockingPlace = 0;
  /** How many times projects were moved since the process has last confirmed it. */
  #blockCount = 0;
  #stoppedCall: StoppedCall | undefined;
  #isOpen = true;

  /** `onShared` runs when the process is no longer blocked. */
  constructor(limits: ProcessLimits, clock: Clock, onShared: () => void = () => {}) {
    this.#clock = clock;
    this.#onShared = onShared;
    const { statementMs, maxMegabytes } = limits;
    const entry = fileURLToPath(entryBeside(import.meta.url, 'sqliteWorker'));
    this.#child = spawn(process.execPath, [entry, JSON.stringify({ statementMs, maxMegabytes })], {
      stdio: ['ignore', 'ignore', 'inherit', 'pipe', 'pipe'],
      // A session of its own gets no signals of the service's terminal. Linux divides the processor among sessions, so a busy
      // statement does not slow down the service or the terminal.
      detached: process.platform !== 'win32',
    });
    // Without a listener an error would end the service.
    this.#child.on('error', () => {});
    // Node.js makes no pipes if the limit of open files is reached.
    const stdio = this.#child.stdio as ChildProcess['stdio'] | undefined;
    if (!stdio) throw busy('The service has too many files and connections open. Try again.');
    const pipe = stdio[pipeFiles.calls] as Duplex;
    this.channel = this.#connect(pipe);
    const watchdogPipe = stdio[pipeFiles.watchdog] as Duplex;
    this.#watchdog = new Channel(watchdogPipe, fromWatchdog, toWatchdog, {
      stopped: (number, brokenLimit) => (this.#stoppedCall = { number, brokenLimit }),
      // A write that the process has reported must not be repeated.
      blocked: (place, reportCount) => void this.channel.received(reportCount).then(() => this.#onBlocked(place)),
    });
    // A pipe closes after its last message is read, so that no answered call counts as unanswered. An error of a pipe only
    // means that the process has ended.
    const closed = [pipe, watchdogPipe].map(each => new Promise(resolve => each.once('close', resolve)));
    this.exited = Promise.all([once(this.#child, 'exit'), ...closed]).then(
      () => this.#onExit(),
      (thrown: unknown) => this.#onExit(thrown),
    );
  }

  /** Undefined if the process could not be started. */
  get pid(): number | undefined {
    return this.#child.pid;
  }

  get places(): readonly ProjectPlace[] {
    return [...this.#places.values()];
  }

  /** Whether the process can serve another project now. */
  get isAvailable(): boolean {
    return this.#isOpen && this.#blockCount === 0;
  }

  serve(settings: ProjectSettings, options: PlaceOptions): ProjectPlace {
    this.#lastPlace = nextNumber(this.#lastPlace, number => this.#places.has(number));
    const place = new ProjectPlace(this, this.#lastPlace, settings, options);
    this.#places.set(place.number, place);
    return place;
  }

  /** Closes all projects, then ends. */
  async end(): Promise<void> {
    for (const place of this.places) void place.end();
    const cancelTimer = this.#clock.after(closeMs, () => this.#kill());
    await this.exited;
    cancelTimer();
  }

  nextCall(place: ProjectPlace): number {
    this.#lastCall = nextNumber(this.#lastCall, number => this.placesOfCalls.has(number));
    this.placesOfCalls.set(this.#lastCall, place);
    return this.#lastCall;
  }

  /** Ends the process if it runs the call. */
  stop(number: number): void {
    this.#watchdog.send('stop', number);
  }

  /** Ends the process if it serves no other project, or this one blocks it. */
  killFor({ number }: ProjectPlace): void {
    const isBlocking = this.#blockCount > 0 && this.#blockingPlace === number;
    if (isBlocking || this.#places.size === 1) this.#kill();
  }

  /** Whether another project blocks the thread. */
  isBlockedFor({ number }: ProjectPlace): boolean {
    return this.#blockCount > 0 && this.#blockingPlace !== number;
  }

  #connect(pipe: Duplex): ServiceEnd {
    return new Channel(pipe, toService, toProcess, {
      rows: (number, batch) => this.placesOfCalls.get(number)?.onRows(number, batch),
      replayed: number => this.placesOfCalls.get(number)?.onState(number, { isReplayed: true }),
      committed: number => this.placesOfCalls.get(number)?.onState(number, { isCommitted: true }),
      reply: (number, reply) => this.placesOfCalls.get(number)?.onReply(number, reply),
      ended: number => {
        const place = this.#places.get(number);
        this.#places.delete(number);
        if (this.#places.size === 0) this.#kill();
        place?.onClosed();
      },
      shared: () => {
        this.#blockCount--;
        this.#onShared();
      },
    });
  }

  /** The other projects need not wait for the one that blocks the thread. An unused one need not move. */
  #onBlocked(number: number): void {
    this.#blockCount++;
    this.#blockingPlace = number;
    for (const place of this.places) {
      const isUnused = place.isOpen && place.isIdle;
      if (place.number !== number && !isUnused) place.moveAway();
    }
    this.channel.send('share', 0);
  }

  #kill(): void {
    this.#isOpen = false;
    this.#child.kill('SIGKILL');
  }

  #onExit(thrown?: unknown): void {
    this.#isOpen = false;
    const { places } = this;
    this.#places.clear();
    for (const place of places) place.onClosed(this.#stoppedCall, thrown);
  }
}
