import postgres from 'postgres'
import type { Holder } from '../../connections/admission.ts'
import type {
  NotificationLine,
  NotificationListener,
  Notifications,
} from '../../connections/notifications.ts'
import { postgresAddress } from './postgres-address.ts'

export interface NotificationOptions {
  readonly url: string
  readonly connectTimeoutMs: number
  /** Runs `pg_notify`. */
  send(channel: string, message: string): Promise<void>
}

const firstPauseMs = 100
const longestPauseMs = 5_000
const endTimeoutSeconds = 1

/**
 * LISTEN and NOTIFY. Each listener has its own connection, since connections of the pools are opened and closed as
 * needed.
 */
export class PostgresNotifications implements Notifications, Holder {
  readonly #options: NotificationOptions
  readonly #lines = new Set<Line>()

  constructor(options: NotificationOptions) {
    this.#options = options
  }

  send(channel: string, message: string): Promise<void> {
    return this.#options.send(channel, message)
  }

  listen(channel: string, listener: NotificationListener): NotificationLine {
    const line = new Line(this.#options, channel, listener)
    this.#lines.add(line)
    return line
  }

  /** Notifications only speed things up, so they can do without a connection for a while. */
  yieldOne(): void {
    for (const line of this.#lines) line.pause()
  }

  async close(): Promise<void> {
    await Promise.all([...this.#lines].map((line) => line.stop()))
  }
}

class Line implements NotificationLine {
  readonly #options: NotificationOptions
  readonly #channel: string
  readonly #listener: NotificationListener
  #client: postgres.Sql | undefined
  #timer: NodeJS.Timeout | undefined
  #pauseMs = firstPauseMs
  #isOpen = false
  #isStopped = false

  constructor(options: NotificationOptions, channel: string, listener: NotificationListener) {
    this.#options = options
    this.#channel = channel
    this.#listener = listener
    this.#open()
  }

  restart(): void {
    const client = this.#client
    if (client !== undefined) this.#lost(client)
  }

  /** Closes its connection and retries after a while. */
  pause(): void {
    this.#pauseMs = longestPauseMs
    this.restart()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#timer)
    await this.#client?.end({ timeout: endTimeoutSeconds }).catch(() => undefined)
  }

  #open(): void {
    const client = this.#connect((): void => this.#lost(client))
    this.#client = client
    const name = `"${this.#channel.replace(/"/g, '""')}"`
    client.unsafe(`listen ${name}`).then(
      () => this.#opened(client),
      () => this.#lost(client),
    )
  }

  // The driver's own `listen` does not report a lost connection.
  #connect(onclose: () => void): postgres.Sql {
    const { connectTimeoutMs } = this.#options
    const { url, ssl } = postgresAddress(this.#options.url)
    return postgres(url, {
      ...ssl,
      max: 1,
      fetch_types: false,
      backoff: () => 0,
      idle_timeout: 0,
      max_lifetime: null,
      connect_timeout: Math.ceil(connectTimeoutMs / 1000),
      onnotice: () => undefined,
      onclose,
      onnotify: (_channel: string, message: string) => this.#listener.message(message),
      connection: { application_name: 'mortise notifications' },
    } as postgres.Options<Record<string, postgres.PostgresType>>)
  }

  #opened(client: postgres.Sql): void {
    if (client !== this.#client || this.#isStopped) return
    this.#pauseMs = firstPauseMs
    this.#isOpen = true
    this.#listener.opened()
  }

  #lost(client: postgres.Sql): void {
    if (client !== this.#client || this.#isStopped) return
    this.#client = undefined
    client.end({ timeout: 0 }).catch(() => undefined)
    if (this.#isOpen) this.#listener.lost()
    this.#isOpen = false
    this.#timer = setTimeout(() => this.#open(), this.#pauseMs)
    this.#timer.unref()
    this.#pauseMs = Math.min(2 * this.#pauseMs, longestPauseMs)
  }
}
