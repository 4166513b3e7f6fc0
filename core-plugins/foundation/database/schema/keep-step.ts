import type { Log } from '../../../../kernel/index.ts'
import type { SchemaRecord } from './schema-record.ts'

export interface KeptStep {
  readonly record: SchemaRecord
  /** The table in which a plugin writes down what it makes of each write. */
  readonly table: string
  /** Something may have been written without the plugin. */
  readonly onMissed: () => Promise<void>
  /** How long after that it is called again while such writes may go on. */
  readonly againMs: number
  readonly log: Log
}

const minute = 60_000

/** How long after a start processes of an earlier version, which know nothing of the plugin, may still be writing. */
const overlapsMs = [minute, 5 * minute, 15 * minute, 60 * minute]

/**
 * Tells a plugin that keeps step with every write when it cannot have: while it was off, and while a process of an earlier version
 * without it wrote, before this start or beside this process.
 */
export class StepKeeper {
  readonly #step: KeptStep
  readonly #timers: NodeJS.Timeout[] = []
  #watch: ReturnType<SchemaRecord['watch']> | undefined
  #isTold = false
  #missedAt = Number.NEGATIVE_INFINITY

  constructor(step: KeptStep) {
    this.#step = step
  }

  /** Call once the plugin can be told, and before anybody asks it. */
  async start(): Promise<void> {
    const { record, table } = this.#step
    if (record.knewBefore(table) === false) {
      await this.#missed()
      for (const afterMs of overlapsMs) this.#timers.push(setTimeout(() => this.#tell(), afterMs).unref())
    }
    this.#watch = record.watch(table, (isKnown) => this.#look(isKnown))
  }

  async stop(): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer)
    await this.#watch?.stop()
  }

  async #look(isKnown: boolean): Promise<void> {
    if (performance.now() - this.#missedAt < this.#step.againMs) return
    if (isKnown) this.#isTold = false
    else await this.#missed()
  }

  async #missed(): Promise<void> {
    const { onMissed, log, table } = this.#step
    if (!this.#isTold)
      log.warn({ table }, 'content may be written without this plugin: what it keeps begins anew')
    this.#isTold = true
    await onMissed()
    this.#missedAt = performance.now()
  }

  #tell(): void {
    const { log, table } = this.#step
    this.#missed().catch((error) =>
      log.error({ err: error, table }, 'what was missed could not be made up for'),
    )
  }
}
