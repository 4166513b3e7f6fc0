import { setTimeout as delay } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import mysql from 'mysql2'
import { upTo } from '../../../../../kernel/index.ts'
import type { Watched } from '../../connections/watchdog.ts'
import { withinConnectTime } from '../../connections/within-connect-time.ts'
import { DatabaseError } from '../../database-error.ts'
import { ipOf, takeTls } from '../tls.ts'
import { isUnavailable, lacksStatements } from './mysql-error.ts'
import { type MysqlServer, mysqlServer } from './mysql-server.ts'
import { mostKept, type StatementHolder, type StatementShare } from './statement-share.ts'

export interface MysqlConnectionOptions {
  readonly url: string
  readonly connectTimeoutMs: number
  /** 0 for no limit. */
  readonly queryTimeoutMs: number
  readonly lockWaitTimeoutMs: number
  /** If false, every statement is part of a transaction that a commit ends, which saves a round trip for `begin`. */
  readonly autocommit: boolean
  /** Shared by all connections of this process. */
  readonly statements: StatementShare
  /** Called when the connection has ended, for any reason. */
  readonly onClose: (connection: MysqlConnection) => void
}

export interface MysqlField {
  readonly name: string
  readonly columnType: number
}

/** Rows as arrays with their fields, or the result of a write. */
export interface MysqlResult {
  readonly rows: unknown[][]
  readonly fields: readonly MysqlField[]
  readonly changes: number
  readonly insertId: number
}

const graceMs = 2_000

/** Pauses before a statement that was refused for lack of room is sent again, one per attempt. */
const pausesMs = [5, 20, 50, 100, 200, 400]

// Quotes have the same meaning as in other databases, and no statement silently truncates data.
const sqlMode = [
  'STRICT_ALL_TABLES',
  'ERROR_FOR_DIVISION_BY_ZERO',
  'NO_ENGINE_SUBSTITUTION',
  'NO_BACKSLASH_ESCAPES',
  'ANSI_QUOTES',
  'PIPES_AS_CONCAT',
].join(',')

/** One connection, for one caller at a time. */
export class MysqlConnection implements Watched, StatementHolder {
  progressAt = 0
  answeredAt = 0
  isClosed = false
  readonly server: MysqlServer
  /** The server's limit of prepared statements, for all its clients together. */
  readonly statementLimit: number
  readonly #native: mysql.Connection
  readonly #options: MysqlConnectionOptions
  /** The texts of the statements that the server keeps prepared for this connection. */
  readonly #prepared = new LRUCache<string, string>(upTo(mostKept))
  /** Rejects pending answers; a transaction may send several statements at once. */
  readonly #underWay = new Set<(error: unknown) => void>()

  /** Connects and sets up the session. @throws the driver's error */
  static async open(options: MysqlConnectionOptions): Promise<MysqlConnection> {
    const { url, tls } = takeTls(options.url)
    if (tls === undefined || tls.mode === 'disable') return MysqlConnection.#open(options, { uri: url })
    if (tls.mode === 'verify-full') assertNamed(url)
    // The driver checks the name in the certificate only if asked to.
    const ssl = { ...tls.options, verifyIdentity: tls.mode === 'verify-full' } as mysql.SslOptions
    try {
      return await MysqlConnection.#open(options, { uri: url, ssl })
    } catch (error) {
      const cannot = (error as { code?: string }).code === 'HANDSHAKE_NO_SSL_SUPPORT'
      if (!cannot || tls.mode !== 'prefer') throw error
      return MysqlConnection.#open(options, { uri: url })
    }
  }

  static async #open(options: MysqlConnectionOptions, address: mysql.ConnectionOptions) {
    const native = mysql.createConnection({
      ...address,
      charset: 'utf8mb4',
      connectTimeout: options.connectTimeoutMs,
      supportBigNumbers: true,
      dateStrings: true,
      jsonStrings: true,
      rowsAsArray: true,
      maxPreparedStatements: mostKept,
      flags: ['-LOCAL_FILES'],
    })
    const connecting = connect(native, options)
    try {
      // The driver's own limit ends with the handshake, but the server may stop responding at any time.
      const session = await withinConnectTime(connecting, options.connectTimeoutMs)
      return new MysqlConnection(native, session, options)
    } catch (error) {
      native.destroy()
      throw error
    }
  }

  private constructor(native: mysql.Connection, session: MysqlSettings, options: MysqlConnectionOptions) {
    this.#native = native
    this.server = session.server
    this.statementLimit = session.statementLimit
    this.#options = options
    options.statements.fit(session.statementLimit)
    options.statements.add(this)
    native.removeAllListeners('error')
    native.on('error', (error) => this.#end(error))
    native.on('end', () => this.destroy())
  }

  /** The server's id of this connection. */
  get id(): number {
    return this.#native.threadId
  }

  get inFlight(): number {
    return this.#underWay.size
  }

  get patienceMs(): number {
    const { queryTimeoutMs } = this.#options
    return queryTimeoutMs === 0 ? Infinity : queryTimeoutMs + graceMs
  }

  /**
   * Runs a statement as a prepared statement of the server. If it is refused for lack of room, room is made and it is
   * sent again; so no statement that has to run after it may be in flight.
   */
  execute(text: string, parameters: unknown[]): Promise<MysqlResult> {
    return this.executeInOrder(text, parameters).catch((error) => {
      if (!lacksStatements(error)) throw error
      return this.#executeAgain(text, parameters)
    })
  }

  /** The same if others are sent right after it: a refused statement has not run and is not repeated. */
  executeInOrder(text: string, parameters: unknown[]): Promise<MysqlResult> {
    return this.#track((done) =>
      this.#native.execute(text, parameters.map(typed) as never[], (error, result, fields) => {
        if (lacksStatements(error)) this.#options.statements.refused()
        else this.#keep(text)
        done(error, result, fields)
      }),
    )
  }

  keepAtMost(most: number): void {
    while (this.#prepared.size > most && !this.isClosed) this.#native.unprepare(this.#prepared.pop() ?? '')
  }

  /** Runs a statement without parameters once. */
  command(text: string): Promise<MysqlResult> {
    return this.#track((done) => this.#native.query(text, done))
  }

  destroy(): void {
    this.#end(new DatabaseError('unavailable', 'the connection to the database was lost'))
  }

  #end(error: unknown) {
    if (this.isClosed) return
    this.isClosed = true
    this.#native.destroy()
    this.#options.statements.remove(this)
    // Once destroyed, the driver does not report the end of pending queries.
    for (const fail of this.#underWay) fail(error)
    this.#options.onClose(this)
  }

  async #executeAgain(text: string, parameters: unknown[]): Promise<MysqlResult> {
    for (const pauseMs of pausesMs) {
      // The server does not confirm when other connections close prepared statements.
      await delay(pauseMs)
      try {
        return await this.executeInOrder(text, parameters)
      } catch (error) {
        if (!lacksStatements(error)) throw error
      }
    }
    return this.executeInOrder(text, parameters)
  }

  #keep(text: string) {
    this.#prepared.set(text, text)
    this.keepAtMost(this.#options.statements.each)
  }

  #track(run: (done: Done) => unknown): Promise<MysqlResult> {
    if (this.isClosed) {
      return Promise.reject(new DatabaseError('unavailable', 'the connection to the database was lost'))
    }
    this.progressAt = Date.now()
    return new Promise((resolve, reject) => {
      this.#underWay.add(reject)
      run((error, result, fields) => {
        this.#underWay.delete(reject)
        this.progressAt = Date.now()
        if (error === null) {
          this.answeredAt = this.progressAt
          return resolve(resultOf(result, fields))
        }
        reject(error)
        if (isFatal(error)) this.#end(error)
      })
    })
  }
}

/**
 * Whether the error is not an answer of the server: for a pending query, this is the only way in which the driver
 * reports a lost connection.
 */
function isFatal(error: Error & { fatal?: boolean }): boolean {
  return error.fatal === true || isUnavailable(error)
}

type Done = (error: Error | null, result: unknown, fields: unknown) => void

function resultOf(result: unknown, fields: unknown): MysqlResult {
  if (Array.isArray(result)) {
    return { rows: result, fields: (fields ?? []) as MysqlField[], changes: 0, insertId: 0 }
  }
  const { affectedRows, insertId } = result as mysql.ResultSetHeader
  return { rows: [], fields: [], changes: affectedRows, insertId }
}

// The driver would send integers as doubles, which LIMIT rejects and which prevent the use of indexes.
function typed(value: unknown): unknown {
  return Number.isSafeInteger(value) ? mysql.TypedParameter.BIGINT(value as number) : value
}

interface MysqlSettings {
  readonly server: MysqlServer
  readonly statementLimit: number
}

async function connect(native: mysql.Connection, options: MysqlConnectionOptions): Promise<MysqlSettings> {
  await new Promise<void>((resolve, reject) => {
    native.on('error', reject)
    native.connect((error) => (error === null ? resolve() : reject(error)))
  })
  const [version, limit] = await ask(native, 'select version(), @@global.max_prepared_stmt_count')
  const server = mysqlServer(String(version))
  for (const statement of setUp(server, options)) await ask(native, statement)
  return { server, statementLimit: Number(limit) }
}

/** If the host is an IP address, mysql2 3.24.6 would compare the certificate with the name `localhost`. */
function assertNamed(url: string): void {
  if (ipOf(url) === undefined) return
  throw new DatabaseError(
    'other',
    'verify-full compares the certificate with a name, and the address has none',
    {
      remedy: 'write the name of the host that its certificate has, or sslmode=verify-ca',
    },
  )
}

/** The first row of the answer. */
function ask(native: mysql.Connection, text: string): Promise<readonly unknown[]> {
  return new Promise((resolve, reject) => {
    native.query(text, (error, rows) => {
      if (error !== null) reject(error)
      else resolve(((rows as unknown as unknown[][]) ?? [])[0] ?? [])
    })
  })
}

function setUp(server: MysqlServer, options: MysqlConnectionOptions): string[] {
  const { queryTimeoutMs, lockWaitTimeoutMs, autocommit } = options
  const limit = server.isMariaDb
    ? `max_statement_time = ${queryTimeoutMs / 1000}`
    : `max_execution_time = ${queryTimeoutMs}`
  return [
    `set names utf8mb4 collate ${server.binaryCollation}`,
    'set session transaction isolation level read committed',
    `set session sql_mode = '${sqlMode}', time_zone = '+00:00', group_concat_max_len = 4294967295,
      innodb_lock_wait_timeout = ${Math.max(1, Math.ceil(lockWaitTimeoutMs / 1000))},
      autocommit = ${autocommit ? 1 : 0}, ${limit}`,
  ]
}
