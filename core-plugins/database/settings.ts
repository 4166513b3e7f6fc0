import { defineSetting } from '../config/config.ts'
import { parseDatabaseUrl } from './database-url.ts'

const urlRemedy =
  'set it to sqlite:./data/content.db, postgres://user:password@host/database or mysql://user:password@host/database'

export const databaseUrl = defineSetting({
  key: 'database.url',
  tier: 'infrastructure',
  type: 'string',
  default: '',
  label: 'Database',
  description: 'Where the content is kept: SQLite (for development), PostgreSQL, MySQL or MariaDB.',
  env: 'DATABASE_URL',
  check(value, environment) {
    if (value === '') return { severity: 'fatal', message: 'is missing', remedy: urlRemedy }
    const address = parseDatabaseUrl(value)
    if (address === undefined) {
      return { severity: 'fatal', message: 'has an invalid format', remedy: urlRemedy }
    }
    if (address.dialect !== 'sqlite' || environment !== 'production') return undefined
    return {
      severity: 'warning',
      message: 'is SQLite, which is for development and prototyping',
      remedy: 'use PostgreSQL, MySQL or MariaDB in production',
    }
  },
})

export const poolSize = defineSetting({
  key: 'database.poolSize',
  tier: 'infrastructure',
  type: 'integer',
  default: 10,
  min: 1,
  max: 200,
  label: 'Connections for queries',
  description: 'How many connections each process keeps for queries outside of transactions. Not for SQLite.',
})

export const transactionPoolSize = defineSetting({
  key: 'database.transactionPoolSize',
  tier: 'infrastructure',
  type: 'integer',
  default: 10,
  min: 1,
  max: 200,
  label: 'Connections for transactions',
  description: 'How many transactions each process has open at once; more wait. SQLite has one.',
})

export const maxWaiting = defineSetting({
  key: 'database.maxWaiting',
  tier: 'infrastructure',
  type: 'integer',
  default: 1_000,
  min: 1,
  label: 'Longest queue',
  description: 'How many queries or transactions may wait for a connection; one more is refused as busy.',
})

export const waitTimeoutMs = defineSetting({
  key: 'database.waitTimeoutMs',
  tier: 'infrastructure',
  type: 'integer',
  default: 5_000,
  min: 1,
  max: 600_000,
  label: 'Longest wait',
  description:
    'How many milliseconds a request waits for a connection, for a server that gives no sign of life, or for the lock of SQLite.',
})

export const connectTimeoutMs = defineSetting({
  key: 'database.connectTimeoutMs',
  tier: 'infrastructure',
  type: 'integer',
  default: 5_000,
  min: 100,
  max: 600_000,
  label: 'Connect timeout',
  description: 'How many milliseconds connecting to the server may take.',
})

export const queryTimeoutMs = defineSetting({
  key: 'database.queryTimeoutMs',
  tier: 'infrastructure',
  type: 'integer',
  default: 30_000,
  min: 100,
  max: 86_400_000,
  label: 'Query timeout',
  description: 'How many milliseconds one query may run, or a transaction may do nothing.',
})

export const readTimeoutMs = defineSetting<number>({
  key: 'database.readTimeoutMs',
  tier: 'infrastructure',
  type: 'integer',
  default: 10_000,
  min: 100,
  max: 86_400_000,
  label: 'Timeout of costly reads',
  description:
    'How many milliseconds a costly read of a request may take: filters that look into texts, search, aggregates.',
})

export const costlyPoolSize = defineSetting<number>({
  key: 'database.costlyPoolSize',
  tier: 'infrastructure',
  type: 'integer',
  default: 4,
  min: 1,
  max: 100,
  label: 'Costly reads at once',
  description:
    'How many connections each process keeps for costly reads, one read at a time on each; on SQLite threads, at most one less than there are processors.',
})

export const maxCostlyWaiting = defineSetting<number>({
  key: 'database.maxCostlyWaiting',
  tier: 'infrastructure',
  type: 'integer',
  default: 100,
  min: 1,
  label: 'Longest queue of costly reads',
  description: 'How many costly reads may wait for a connection; one more is answered with 503.',
})

export const databaseSettings = [
  databaseUrl,
  poolSize,
  transactionPoolSize,
  maxWaiting,
  waitTimeoutMs,
  connectTimeoutMs,
  queryTimeoutMs,
  readTimeoutMs,
  costlyPoolSize,
  maxCostlyWaiting,
]
