import { hostname } from 'node:os'
import { createMailbox, type Log } from '../../../kernel/index.ts'
import type { Alerts } from '../../background/alerts/alerts.ts'
import type { ShedCount } from './shedder.ts'

export interface EpisodeOptions {
  readonly log: Log
  /** Undefined if alerts are switched off. */
  readonly alerts: Alerts | undefined
  /** How long requests must be refused before an alert is raised, in milliseconds. */
  readonly alertAfterMs: () => number
}

/** The state after each interval. */
export interface EpisodeState {
  /** On the clock of `performance.now()`. */
  readonly now: number
  readonly intervalMs: number
  /** The number of requests refused since the start. */
  readonly total: number
  readonly counts: () => readonly ShedCount[]
  /** Details for the log. */
  readonly load: object
}

interface Episode {
  readonly beganAt: number
  readonly totalBefore: number
  lastShedAt: number
  hasAlert: boolean
}

const kind = 'overload'

/** The number of intervals without a refusal that end an overload, since load fluctuates around the limits. */
const calmIntervals = 25

/** Reports the beginning and the end of refusals: once each in the log, and by an alert if they last. */
export class Episodes {
  readonly #options: EpisodeOptions
  /** Writes alerts one after the other in the background, since the database is overloaded. */
  readonly #mailbox = createMailbox()
  #current: Episode | undefined
  #lastTotal = 0

  constructor(options: EpisodeOptions) {
    this.#options = options
  }

  note(state: EpisodeState): void {
    const { now, total } = state
    const hasShed = total > this.#lastTotal
    if (hasShed) this.#current ??= this.#begin(state)
    this.#lastTotal = total
    const episode = this.#current
    if (episode === undefined) return
    if (hasShed) episode.lastShedAt = now
    if (now - episode.lastShedAt > calmIntervals * state.intervalMs) this.#end(episode, state)
    else if (!episode.hasAlert && now - episode.beganAt >= this.#options.alertAfterMs()) this.#alert(episode)
  }

  /** Resolves when all alerts have been written. */
  stop(): Promise<void> {
    return this.#mailbox.idle()
  }

  #begin({ now, load }: EpisodeState): Episode {
    this.#options.log.warn({ ...load }, 'overload: refuses requests until there is less to do')
    return { beganAt: now, totalBefore: this.#lastTotal, lastShedAt: now, hasAlert: false }
  }

  #end(episode: Episode, { total, counts }: EpisodeState): void {
    this.#current = undefined
    const seconds = Math.round((episode.lastShedAt - episode.beganAt) / 1000)
    const fields = { seconds, refused: total - episode.totalBefore, sinceStart: counts() }
    this.#options.log.info(fields, 'the overload is over: no requests are refused any more')
    if (episode.hasAlert) this.#tell((alerts) => alerts.resolve(kind, hostname()))
  }

  #alert(episode: Episode): void {
    episode.hasAlert = true
    this.#tell((alerts) =>
      alerts.raise({
        kind,
        subject: hostname(),
        severity: 'warning',
        message:
          'the service has been refusing requests for a while, since it has more to do than it can: ' +
          'find out who asks for so much, or give it and its database more room',
        details: { host: hostname(), process: process.pid },
      }),
    )
  }

  #tell(what: (alerts: Alerts) => Promise<void>): void {
    const { alerts, log } = this.#options
    if (alerts === undefined) return
    this.#mailbox
      .run(() => what(alerts))
      .catch((error) => log.warn({ err: error }, 'the alert about the overload could not be written'))
  }
}
