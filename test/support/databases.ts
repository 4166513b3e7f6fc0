import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe } from 'node:test'
import { createConnection } from 'mysql2/promise'
import postgres from 'postgres'
import { type DialectName, dialectNames } from '../../core-plugins/foundation/database/dialect-name.ts'
import { copyStatements } from './copy-mysql.ts'
import { startMysql, startPostgres, startRedis, type TestServer } from './database-servers.ts'
import { madeInRun } from './once-per-run.ts'
import { findRedis } from './redis.ts'
import { areServicesRequired, isQuick, skipWithout } from './scope.ts'

/** An empty database for one test. */
export interface TestDatabase {
  /** For DATABASE_URL. */
  readonly url: string
  /** Drops it, even with open connections. */
  drop(): Promise<void>
}

export interface DatabaseUnderTest {
  readonly name: DialectName
  createUrl(): Promise<TestDatabase>
}

export type ServerName = Exclude<DialectName, 'sqlite'>

/** A server, whose databases can be copied. */
export interface ServerUnderTest extends DatabaseUnderTest {
  readonly name: ServerName
  /** Creates a copy of a database that has no open connections. */
  createCopy(url: string): Promise<TestDatabase>
}

/** The servers of a test run, and the engines it has to do without. */
export interface DatabaseServers {
  /** Environment for the processes that run the tests. */
  readonly env: Readonly<Record<string, string>>
  /** A line to print for each engine that is not tested. */
  readonly skipped: readonly string[]
  stop(): Promise<void>
}

const localPostgresUrls = ['postgres', process.env.USER ?? 'root', 'root'].map(
  (user) => `postgres://${user}@127.0.0.1:5432/postgres`,
)
const localMysqlUrls = ['mysql://root@127.0.0.1:3306/']

/**
 * Finds or starts the servers of a whole test run (docs/benchmarks.md): those named in the environment, else
 * those on the standard local ports, else temporary ones from installed binaries. With TEST_OWN_SERVERS=1 temporary
 * databases come before those on the local ports: they never wait for the disk, but take seconds to start. With
 * REQUIRE_SERVICES=1 it throws instead of skipping an engine.
 */
export async function startDatabaseServers(): Promise<DatabaseServers> {
  const started: TestServer[] = []
  const start = async (startServer: () => Promise<TestServer | undefined>) => {
    const server = await startServer()
    if (server !== undefined) started.push(server)
    return server?.url
  }
  const [postgresUrl, mysqlUrl, redisUrl] = await Promise.all([
    isWanted('postgres')
      ? firstOf(process.env.TEST_POSTGRES_URL, findPostgres, () => start(startPostgres))
      : '',
    isWanted('mysql') ? firstOf(process.env.TEST_MYSQL_URL, findMysql, () => start(startMysql)) : '',
    findRedis().then((url) => url ?? start(startRedis)),
  ])
  const skipped = Object.entries({ postgres: postgresUrl, mysql: mysqlUrl, redis: redisUrl })
    .filter(([, url]) => url === undefined)
    .map(([name]) => `${name}: no server and no binaries to start one`)
  const stop = async () => {
    await Promise.all(started.map((server) => server.stop()))
  }
  if (skipped.length > 0 && areServicesRequired()) {
    await stop()
    throw new Error(`REQUIRE_SERVICES=1, but ${skipped.join('; ')}`)
  }
  return {
    env: {
      ...(postgresUrl ? { TEST_POSTGRES_URL: postgresUrl } : {}),
      ...(mysqlUrl ? { TEST_MYSQL_URL: mysqlUrl } : {}),
      ...(redisUrl ? { TEST_REDIS_URL: redisUrl } : {}),
    },
    skipped,
    stop,
  }
}

type FindServer = () => Promise<string | undefined>

async function firstOf(given: string | undefined, find: FindServer, start: FindServer) {
  const [first, second] = process.env.TEST_OWN_SERVERS === '1' ? [start, find] : [find, start]
  return given || ((await first()) ?? second())
}

/**
 * The databases available to the tests of this process: SQLite alone in a quick run, those that TEST_DATABASES names
 * (comma-separated) if it is set.
 */
export async function databasesUnderTest(): Promise<(DatabaseUnderTest | ServerUnderTest)[]> {
  const found = await Promise.all(dialectNames.filter(isWanted).map((name) => finders[name]()))
  return found.filter((each) => each !== undefined)
}

/** The servers among them. */
export const serversUnderTest = async (): Promise<ServerUnderTest[]> =>
  (await databasesUnderTest()).filter((database) => 'createCopy' in database)

/**
 * Drops the databases that were copied for the services of a run (ready-databases.ts).
 * @param folder the run's folder
 * @param env the environment of its processes, which names the servers
 */
export async function dropReadyDatabases(folder: string, env: DatabaseServers['env']): Promise<void> {
  const [postgresUrl, mysqlUrl] = ['postgres', 'mysql'].map((name) =>
    madeInRun<string>(folder, `ready-${name}`),
  )
  if (postgresUrl !== undefined)
    await dropPostgres(env.TEST_POSTGRES_URL ?? postgresUrl, databaseOf(postgresUrl))
  if (mysqlUrl !== undefined) await dropMysql(env.TEST_MYSQL_URL ?? mysqlUrl, databaseOf(mysqlUrl))
}

/** Whether this run covers a database. */
export function isWanted(name: DialectName): boolean {
  if (isQuick) return name === 'sqlite'
  return process.env.TEST_DATABASES?.split(',').includes(name) ?? true
}

/** Declares a `describe` block for each database that the run covers; unavailable ones are reported as skipped. */
export function eachDatabase(declare: (database: DatabaseUnderTest) => void): void {
  for (const name of dialectNames.filter(isWanted)) {
    const database = available.find((each) => each.name === name)
    if (database !== undefined) describe(name, () => declare(database))
    else if (areServicesRequired()) throw new Error(`REQUIRE_SERVICES=1, but there is no ${name} server`)
    else describe(name, { skip: skipWithout(name, false) }, () => undefined)
  }
}

/** Undefined if there is no server. */
const finders: Readonly<Record<DialectName, () => Promise<DatabaseUnderTest | ServerUnderTest | undefined>>> =
  {
    sqlite: async () => sqlite,
    postgres: postgresUnderTest,
    mysql: mysqlUnderTest,
  }

const databaseName = () => `mortise_test_${randomBytes(6).toString('hex')}`

const sqlite: DatabaseUnderTest = {
  name: 'sqlite',
  async createUrl() {
    const directory = mkdtempSync(join(tmpdir(), 'mortise-sqlite-'))
    return {
      url: `sqlite:${join(directory, 'content.db')}`,
      drop: async () => rmSync(directory, { recursive: true, force: true }),
    }
  },
}

async function postgresUnderTest(): Promise<ServerUnderTest | undefined> {
  const adminUrl = await findPostgres()
  if (adminUrl === undefined) return undefined
  return {
    name: 'postgres',
    createUrl: () => createPostgres(adminUrl, "template0 encoding 'UTF8'"),
    createCopy: (url) => createPostgres(adminUrl, databaseOf(url)),
  }
}

async function createPostgres(adminUrl: string, template: string): Promise<TestDatabase> {
  const name = databaseName()
  await runOnPostgres(adminUrl, `create database ${name} template ${template}`)
  return { url: withDatabase(adminUrl, name), drop: () => dropPostgres(adminUrl, name) }
}

const dropPostgres = (adminUrl: string, name: string) =>
  runOnPostgres(adminUrl, `drop database if exists ${name} with (force)`)

async function mysqlUnderTest(): Promise<ServerUnderTest | undefined> {
  const adminUrl = await findMysql()
  if (adminUrl === undefined) return undefined
  return {
    name: 'mysql',
    createUrl: () => createMysql(adminUrl, []),
    createCopy: async (url) => createMysql(adminUrl, await copyStatements(url)),
  }
}

async function createMysql(adminUrl: string, statements: readonly string[]): Promise<TestDatabase> {
  const name = databaseName()
  const create = [`create database ${name} character set utf8mb4`, `use ${name}`, ...statements]
  await runOnMysql(adminUrl, create.join(';\n'))
  return { url: withDatabase(adminUrl, name), drop: () => dropMysql(adminUrl, name) }
}

const dropMysql = (adminUrl: string, name: string) => runOnMysql(adminUrl, `drop database if exists ${name}`)

const databaseOf = (url: string) => new URL(url).pathname.slice(1)

function withDatabase(adminUrl: string, name: string): string {
  const url = new URL(adminUrl)
  url.pathname = `/${name}`
  return url.href
}

async function findPostgres(): Promise<string | undefined> {
  const given = process.env.TEST_POSTGRES_URL
  return given || firstThatAnswers(localPostgresUrls, (url) => runOnPostgres(url, 'select 1'))
}

async function findMysql(): Promise<string | undefined> {
  const given = process.env.TEST_MYSQL_URL
  return given || firstThatAnswers(localMysqlUrls, (url) => runOnMysql(url, 'select 1'))
}

async function firstThatAnswers(urls: readonly string[], ask: (url: string) => Promise<void>) {
  for (const url of urls) {
    try {
      await ask(url)
      return url
    } catch {}
  }
  return undefined
}

/** Runs one statement as the administrator of a PostgreSQL server. */
export async function runOnPostgres(url: string, statement: string): Promise<void> {
  const client = postgres(url, { max: 1, connect_timeout: 5, onnotice: () => undefined })
  try {
    await client.unsafe(statement)
  } finally {
    await client.end({ timeout: 5 })
  }
}

/** Runs statements, with semicolons between them, as the administrator of a MySQL or MariaDB server. */
export async function runOnMysql(url: string, statements: string): Promise<void> {
  const connection = await createConnection({ uri: url, connectTimeout: 5_000, multipleStatements: true })
  try {
    await connection.query(statements)
  } finally {
    await connection.end()
  }
}

// Declared last: finding the servers needs everything above, and `describe` blocks cannot be declared later.
const available = await databasesUnderTest()
