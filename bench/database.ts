import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { createConnection } from 'mysql2/promise'
import postgres from 'postgres'
import type { DialectName } from '../core-plugins/database/database.ts'

/** An empty database of the benchmark's own. */
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

/**
 * SQLite: a file in `folder`. PostgreSQL and MySQL: a database on the server at TEST_POSTGRES_URL or
 * TEST_MYSQL_URL, else on the standard local port.
 */
export async function createDatabase(dialect: DialectName, folder: string): Promise<BenchDatabase> {
  const name = `mortise_bench_${randomBytes(4).toString('hex')}`
  if (dialect === 'sqlite') return { url: `sqlite:${join(folder, `${name}.db`)}`, drop: async () => {} }
  if (dialect === 'postgres') {
    await runOnPostgres(`create database ${name}`)
    return {
      url: urlOf(postgresUrl(), name),
      drop: () => runOnPostgres(`drop database if exists ${name} with (force)`),
    }
  }
  await runOnMysql(`create database ${name} character set utf8mb4`)
  return { url: urlOf(mysqlUrl(), name), drop: () => runOnMysql(`drop database if exists ${name}`) }
}

/** Brings the planner's statistics up to date, as the server's own upkeep would do in a minute. */
export async function analyzeDatabase(dialect: DialectName, url: string): Promise<void> {
  if (dialect !== 'postgres') return
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  await sql.unsafe('vacuum analyze')
  await sql.end()
}
