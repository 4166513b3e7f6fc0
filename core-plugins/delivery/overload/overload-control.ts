import type { Log } from '../../../kernel/index.ts'
import type { Alerts } from '../../background/alerts/alerts.ts'
import type { Config } from '../../foundation/config/config.ts'
import type { Database } from '../../foundation/database/database.ts'
import { ColdStart } from './cold-start.ts'
import { Episodes } from './episode.ts'
import { Gate } from './gate.ts'
import { LoadWatch, type LoadWindow } from './load-watch.ts'
import { pressureAfter } from './pressure.ts'
import * as setting from './settings.ts'
import { Shedder } from './shedder.ts'

export interface OverloadParts {
  readonly config: Config
  readonly database: Database
  readonly alerts: Alerts | undefined
  readonly log: Log
}

/** Converts the measured load into the pressure with which requests are refused. */
export class OverloadControl {
  readonly shedder = new Shedder()
  readonly gate: Gate
  readonly #config: Config
  /** The number of connections for reads. */
  readonly #connections: number
  readonly #watch: LoadWatch
  readonly #episodes: Episodes
  readonly #coldStart: ColdStart
  #stopFollowing = () => {}

  constructor({ config, database, alerts, log }: OverloadParts) {
    this.#config = config
    this.#connections = database.load().find(({ use }) => use === 'queries')?.size ?? 1
    this.gate = new Gate({
      shedder: this.shedder,
      dearMs: () => config.get(setting.dearMs),
      waitMs: () => this.#watch.waitMs,
    })
    this.#watch = new LoadWatch({
      database,
      reads: () => this.gate.reads,
      intervalMs: () => config.get(setting.intervalMs),
      onWindow: (window, intervals) => this.#apply(window, intervals),
    })
    this.#episodes = new Episodes({ log, alerts, alertAfterMs: () => config.get(setting.alertAfterMs) })
    this.#coldStart = new ColdStart({
      limit: Math.max(1, Math.floor(this.#connections / 2)),
      running: () => this.gate.statements,
    })
  }

  start(): void {
    const forMs = this.#config.get(setting.warmUpMs)
    // With a single connection, reads already run one at a time.
    if (this.#config.get(setting.enabled) && forMs > 0 && this.#connections > 1) {
      this.#coldStart.endAfter(forMs)
      this.gate.warmUp(this.#coldStart)
    }
    this.#stopFollowing = this.#config.onChange(setting.enabled, () => this.#follow())
    this.#follow()
  }

  /** Resolves when the last alert has been written. */
  async stop(): Promise<void> {
    this.#stopFollowing()
    this.#watch.stop()
    this.#coldStart.end()
    await this.#episodes.stop()
  }

  #follow(): void {
    if (this.#config.get(setting.enabled)) {
      this.#watch.start()
    } else {
      this.#watch.stop()
      this.#coldStart.end()
      this.shedder.pressure = 0
    }
  }

  #apply(window: LoadWindow, intervals: number): void {
    const { shedder } = this
    const config = this.#config
    const targetMs = config.get(setting.targetMs)
    const query = window.queryWaitMs / targetMs
    const costly = window.costlyWaitMs / targetMs
    const loop = window.loopMs / config.get(setting.loopDelayMs)
    const reads = window.reads / config.get(setting.maxReads)
    const excess = { shared: Math.max(query, loop, reads), costly }
    shedder.pressure = pressureAfter(shedder.pressure, excess, intervals)
    this.#episodes.note({
      now: performance.now(),
      intervalMs: config.get(setting.intervalMs),
      total: shedder.total,
      counts: () => shedder.counts(),
      load: { pressure: shedder.pressure, ...window },
    })
  }
}
