import type { Log } from '../../../../../kernel/index.ts'
import { explorePooler } from './explore-pooler.ts'
import { deafBehindPooler } from './pooler-limits.ts'
import { type ClientOptions, PostgresClient } from './postgres-client.ts'
import { hasOwnSession, type ServerPath } from './server-path.ts'

type OpenOptions = Omit<ClientOptions, 'path'>

export interface ConnectorOptions {
  /** Where to get connections with a session of their own if those of the pool have none: DATABASE_DIRECT_URL. */
  readonly directUrl?: string | undefined
  readonly log?: Log | undefined
}

/** Poolers have no error code of their own for a refused parameter; PgBouncer and Odyssey use this class. */
const protocolViolation = '08P01'

/**
 * Opens connections with the options that the server, or a pooler in front of it, accepts. Whether there is a pooler
 * is visible on each connection; without one, no further queries are made.
 */
export class PostgresConnector {
  readonly #options: ConnectorOptions
  #path: ServerPath = { pooling: 'none' }
  #exploring: Promise<void> | undefined

  constructor(options: ConnectorOptions = {}) {
    this.#options = options
  }

  /** What has been found out so far. */
  get path(): ServerPath {
    return this.#path
  }

  /** @throws the driver's error; DatabaseError if the pooler allows no transactions */
  async open(options: OpenOptions): Promise<PostgresClient> {
    const path = this.#path
    const client = await this.#tryOpen(options)
    if (client !== undefined && (path.pooling !== 'none' || !client.isPooled)) return client
    client?.destroy()
    this.#exploring ??= this.#explore(options).finally(() => {
      this.#exploring = undefined
    })
    await this.#exploring
    return PostgresClient.open({ ...options, path: this.#path })
  }

  /** Undefined if the other side, such as a pooler, refuses the parameters that a server accepts. */
  async #tryOpen(options: OpenOptions): Promise<PostgresClient | undefined> {
    try {
      return await PostgresClient.open({ ...options, path: this.#path })
    } catch (error) {
      const isRefused = (error as { code?: string }).code === protocolViolation
      if (!isRefused || this.#path.pooling !== 'none') throw error
      return undefined
    }
  }

  async #explore({ url, connectTimeoutMs }: OpenOptions): Promise<void> {
    const open = () =>
      PostgresClient.open({
        ...{ url, connectTimeoutMs, queryTimeoutMs: 0, preparations: { generation: 0 } },
        path: { pooling: 'transaction', keepsStatements: true },
        onClose: () => undefined,
        onAnswer: () => undefined,
      })
    this.#path = await explorePooler(open)
    this.#report()
  }

  #report() {
    const { log, directUrl } = this.#options
    const path = this.#path
    log?.info({ ...path }, `a pooler stands in front of the database, and pools by ${path.pooling}`)
    if (hasOwnSession(path) || directUrl !== undefined) return
    log?.warn({}, `${deafBehindPooler.message}: ${deafBehindPooler.remedy}`)
  }
}
