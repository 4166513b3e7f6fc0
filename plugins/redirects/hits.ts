import { column, type Database, defineTable, type Log, type Queries, sql } from 'mortise/plugin'

/** How often each redirect has been followed. */
export const hitsTable = defineTable(
  'x_redirects_hits',
  { ruleId: column.integer(), hits: column.integer(), lastHitAt: column.datetime() },
  { primaryKey: ['ruleId'], indexes: [{ columns: ['hits', 'ruleId'], type: 'index' }] },
)

/** How many redirects are listed. */
const shownCounts = 100

export interface HitCount {
  readonly ruleId: number
  readonly hits: number
  readonly lastHitAt: string
}

/**
 * Counts in memory and writes every five seconds, and at the stop: a request never waits for it, and a process that is killed
 * loses what it has counted since.
 */
export interface Hits {
  count(ruleId: number): void
  flush(): Promise<void>
  /** The hundred that were followed most, the most followed first. */
  top(): Promise<readonly HitCount[]>
  /** Removes the counts of redirects that are gone. */
  prune(kept: ReadonlySet<number>, queries: Queries): Promise<number>
  stop(): Promise<void>
}

const flushEveryMs = 5_000

export function createHits(database: Database, log: Log): Hits {
  const table = hitsTable.on(database)
  const { hits, lastHitAt } = hitsTable.columns
  const add = table.update(
    (value) => sql`${hits} = ${hits} + ${value(hits, 'more')}, ${lastHitAt} = ${value(lastHitAt, 'at')}`,
    ['ruleId'],
  )
  const insert = table.insert()
  const all = table.find([])
  const top = table.find([], {
    orderBy: sql`${hits} desc, ${hitsTable.columns.ruleId} desc`,
    limit: shownCounts,
  })
  const remove = table.delete(['ruleId'])
  let counts = new Map<number, number>()
  let flushing: Promise<void> | undefined

  async function write(ruleId: number, more: number): Promise<void> {
    const at = new Date().toISOString()
    const added = async () => (await add.run({ ruleId, more, at })).changes > 0
    if (await added()) return
    try {
      await insert.run({ ruleId, hits: more, lastHitAt: at })
    } catch (error) {
      // Another process has inserted it meanwhile.
      if (!(await added())) throw error
    }
  }

  async function writeAll(): Promise<void> {
    const written = counts
    counts = new Map()
    for (const [ruleId, more] of written) await write(ruleId, more)
  }

  /** One after the other, or visitors who follow many redirects would have ever more of them under way. */
  function flush(): Promise<void> {
    const flushed = (flushing ?? Promise.resolve()).catch(() => undefined).then(writeAll)
    flushing = flushed
    return flushed
  }

  const timer = setInterval(() => {
    if (counts.size === 0) return
    flush().catch((error) => log.warn({ err: error }, 'hits of redirects could not be counted'))
  }, flushEveryMs)
  timer.unref()

  return {
    count: (ruleId) => void counts.set(ruleId, (counts.get(ruleId) ?? 0) + 1),
    flush,
    top: () => top.all({}),
    async prune(kept, queries) {
      const gone = (await all.all({}, queries)).filter(({ ruleId }) => !kept.has(ruleId))
      for (const { ruleId } of gone) await remove.run({ ruleId }, queries)
      return gone.length
    },
    async stop() {
      clearInterval(timer)
      await flush()
    },
  }
}
