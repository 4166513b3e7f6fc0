import type { Log } from '../../../../kernel/index.ts'
import type { SchemaRecord } from './schema-record.ts'

export interface KeptStep {
  readonly record: SchemaRecord
  /** The table in which a plugin records what it derives from each write. */
  readonly table: string
  /** Called when writes may have happened without the plugin. */
  readonly onMissed: () => Promise<void>
  /** How many milliseconds later it is called again, while such writes may go on. */
  readonly againMs: number
  readonly log: Log
}

const minute = 60_000

/** How long after a start processes of an earlier version, which do not know the plugin, may still be writing. */
const overlapsMs = [minute, 5 * minute, 15 * minute, 60 * minute]

/**
 * Notifies a plugin that has to process every write when it may have missed some: while it was off, or while a
 * process of an earlier version without it was writing, before this start or alongside this process.
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

  /** Call once the plugin can be notified, and before its data is used. */
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
