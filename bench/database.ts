import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { createConnection } from 'mysql2/promise'
import postgres from 'postgres'
import { openDatabase } from '../core-plugins/foundation/database/connections/open-database.ts'
import { type DialectName, dialectNames } from '../core-plugins/foundation/database/database.ts'
import type { Driver } from '../core-plugins/foundation/database/driver.ts'
import { silentLog } from '../kernel/index.ts'

/** An empty database for the benchmark. */
export interface BenchDatabase {
  readonly url: string
  drop(): Promise<void>
}

const postgresUrl = (): string =>
  process.env.TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres'
const mysqlUrl = (): string => process.env.TEST_MYSQL_URL ?? 'mysql://root@127.0.0.1:3306/mysql'

function urlOf(serverUrl: string, database: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${database}`
  return url.href
}

async function runOnPostgres(statement: string): Promise<void> {
  const sql = postgres(postgresUrl(), { max: 1, onnotice: () => {} })
  try {
    await sql.unsafe(statement)
  } finally {
    await sql.end()
  }
}

async function runOnMysql(statement: string): Promise<void> {
  const connection = await createConnection(mysqlUrl())
  try {
    await connection.query(statement)
  } finally {
    await connection.end()
  }
}

interface DatabaseKind {
  /** Creates an empty database, in `folder` if it is a file. */
  create(name: string, folder: string): Promise<BenchDatabase>
  /** Updates the planner's statistics, as the server itself would do within a minute. */
  analyze?(url: string): Promise<void>
}

const kinds: Readonly<Record<DialectName, DatabaseKind>> = {
  sqlite: {
    create: async (name, folder) => ({ url: `sqlite:${join(folder, `${name}.db`)}`, drop: async () => {} }),
  },
  postgres: {
    async create(name) {
      await runOnPostgres(`create database ${name}`)
      return {
        url: urlOf(postgresUrl(), name),
        drop: () => runOnPostgres(`drop database if exists ${name} with (force)`),
      }
    },
    async analyze(url) {
      const sql = postgres(url, { max: 1, onnotice: () => {} })
      await sql.unsafe('vacuum analyze')
      await sql.end()
    },
  },
  mysql: {
    async create(name) {
      await runOnMysql(`create database ${name} character set utf8mb4`)
      return { url: urlOf(mysqlUrl(), name), drop: () => runOnMysql(`drop database if exists ${name}`) }
    },
  },
}

/** The database that `--db` names. @throws Error that lists the valid names */
export function readDatabase(text: string): DialectName {
  const name = dialectNames.find((each) => each === text)
  if (name === undefined) throw new Error(`--db is "${text}"; it can be ${dialectNames.join(', ')}`)
  return name
}

/**
 * SQLite: a file in `folder`. PostgreSQL and MySQL: a database on the server at TEST_POSTGRES_URL or
 * TEST_MYSQL_URL, else on the standard local port.
 */
export function createDatabase(dialect: DialectName, folder: string): Promise<BenchDatabase> {
  return kinds[dialect].create(`mortise_bench_${randomBytes(4).toString('hex')}`, folder)
}

/** Updates the planner's statistics, unless the database does so at once. */
export async function analyzeDatabase(dialect: DialectName, url: string): Promise<void> {
  await kinds[dialect].analyze?.(url)
}

/** Opens a database of the service, to write into its tables directly. */
export function openServiceDatabase(url: string): Promise<Driver> {
  return openDatabase({
    ...{ url, workingDirectory: '.', poolSize: 1, transactionPoolSize: 1, maxWaiting: 10 },
    ...{ waitTimeoutMs: 10_000, connectTimeoutMs: 10_000, queryTimeoutMs: 60_000 },
    ...{ readTimeoutMs: 60_000, costlyPoolSize: 1, maxCostlyWaiting: 10 },
    onFull: () => undefined,
    log: silentLog,
  })
}
