import { availableParallelism } from 'node:os'
import { Type } from 'typebox'
import { defineSetting } from '../../config/config.ts'

/**
 * More connections than the processors can keep busy only add cost: queries that share a connection also share system
 * calls and wake-ups of its server process. If this machine has few processors, the database server probably does
 * too.
 */
const usefulConnections = Math.min(10, Math.max(4, 2 * availableParallelism()))

export const poolSize = defineSetting(
  'database.poolSize',
  Type.Integer({
    tier: 'infrastructure',
    default: usefulConnections,
    minimum: 1,
    maximum: 200,
    title: 'Connections for queries',
    description:
      'How many connections each process keeps for queries outside of transactions. Not for SQLite.',
  }),
)

export const transactionPoolSize = defineSetting(
  'database.transactionPoolSize',
  Type.Integer({
    tier: 'infrastructure',
    default: 10,
    minimum: 1,
    maximum: 200,
    title: 'Connections for transactions',
    description: 'How many transactions each process has open at once; more wait. SQLite has one.',
  }),
)

export const maxWaiting = defineSetting(
  'database.maxWaiting',
  Type.Integer({
    tier: 'infrastructure',
    default: 1_000,
    minimum: 1,
    title: 'Longest queue',
    description:
      'How many queries or transactions may wait for their turn; with one more, the latest of those without an account, or of the caller with most of them, is answered with 503.',
  }),
)

export const waitTimeoutMs = defineSetting(
  'database.waitTimeoutMs',
  Type.Integer({
    tier: 'infrastructure',
    default: 5_000,
    minimum: 1,
    maximum: 600_000,
    title: 'Longest wait',
    description:
      'How many milliseconds a request waits for its turn on a connection, for an unresponsive server, or for the lock of SQLite.',
  }),
)

export const connectTimeoutMs = defineSetting(
  'database.connectTimeoutMs',
  Type.Integer({
    tier: 'infrastructure',
    default: 5_000,
    minimum: 100,
    maximum: 600_000,
    title: 'Connect timeout',
    description: 'How many milliseconds connecting to the server may take.',
  }),
)

export const queryTimeoutMs = defineSetting(
  'database.queryTimeoutMs',
  Type.Integer({
    tier: 'infrastructure',
    default: 30_000,
    minimum: 100,
    maximum: 86_400_000,
    title: 'Query timeout',
    description: 'How many milliseconds one query may run, or a transaction may be idle.',
  }),
)

export const readTimeoutMs = defineSetting(
  'database.readTimeoutMs',
  Type.Integer({
    tier: 'infrastructure',
    default: 10_000,
    minimum: 100,
    maximum: 86_400_000,
    title: 'Timeout of costly reads',
    description:
      'How many milliseconds a costly read of a request may take: filters that search in texts, search, aggregates.',
  }),
)

export const costlyPoolSize = defineSetting(
  'database.costlyPoolSize',
  Type.Integer({
    tier: 'infrastructure',
    default: 4,
    minimum: 1,
    maximum: 100,
    title: 'Costly reads at once',
    description:
      'How many connections each process keeps for costly reads, one read at a time on each; on SQLite threads, at most one less than there are processors.',
  }),
)

export const maxCostlyWaiting = defineSetting(
  'database.maxCostlyWaiting',
  Type.Integer({
    tier: 'infrastructure',
    default: 1_000,
    minimum: 1,
    title: 'Longest queue of costly reads',
    description: 'The same for costly reads.',
  }),
)
