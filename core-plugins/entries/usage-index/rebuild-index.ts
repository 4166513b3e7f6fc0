import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { Type } from 'typebox'
import { createPace, defineJob, type JobKind, type Jobs } from '../../background/jobs/jobs.ts'
import { areEmptyTables, type Database, query, type Transaction } from '../../foundation/database/database.ts'
import type { ContentType, Schemas } from '../../foundation/schemas/schemas.ts'
import type { StoredEntries } from '../content/content.ts'
import { namesSome, takeOut } from './take-out.ts'
import type { NamedIn, UsageKind } from './usage-kind.ts'
import type { UsageRows } from './usage-rows.ts'

export interface RebuildParts<Place> {
  readonly kind: UsageKind<Place>
  readonly rows: UsageRows<Place>
  readonly database: Database
  readonly jobs: Jobs
  readonly schemas: Schemas
  readonly storedEntries: StoredEntries
}

export interface UsageRebuild {
  /** Builds the index from all entries. */
  readonly job: JobKind<{ schemas: string }>
  request(tx: Transaction): Promise<void>
  /** Requests a rebuild if the index was built for other schemas, or never. */
  requestIfStale(): Promise<void>
}

/** A low limit, because entries are read with all their texts. */
const mostAtOnce = 50
/** An id beyond all entries. */
const endOfIds = Number.MAX_SAFE_INTEGER

export function createUsageRebuild<Place>(parts: RebuildParts<Place>): UsageRebuild {
  const { kind, rows, database, jobs, schemas } = parts
  const types = [...schemas.types.values()].filter((type) => kind.fieldsOf(type).length > 0)
  const present = fingerprintOf(types, kind, schemas)
  const job = defineJob({
    name: `${kind.name}.reindex`,
    payload: Type.Object({ schemas: Type.String() }),
    timeoutMs: 24 * 60 * 60_000,
    async run(payload, { signal, reportProgress }) {
      for (const [index, type] of types.entries()) {
        await rebuildType(type, parts, signal)
        reportProgress(((index + 1) / types.length) * 100)
      }
      await forgetOtherTypes()
      // If another process has other schemas, its own job runs after this one.
      await kind.fingerprint.set(payload.schemas)
    },
  })

  async function forgetOtherTypes(): Promise<void> {
    const declared = new Set(types.map(({ name }) => name))
    for (const type of await rows.types()) {
      if (declared.has(type)) continue
      await database.transaction((tx) => rows.replaceRange({ type, after: 0, last: endOfIds }, [], tx))
    }
  }
  const request = (tx: Transaction) =>
    jobs.enqueue(tx, job, { schemas: present }, { key: `${job.name} ${present}` })

  return {
    job,
    async request(tx) {
      await request(tx)
    },
    async requestIfStale() {
      if ((await kind.fingerprint.get()) === present) return
      // If there are neither entries nor index rows, the index is complete, and writes keep it so from here on.
      const tables = [kind.table.name, ...types.map(({ table }) => table)]
      if (await areEmptyTables(database, tables)) await kind.fingerprint.set(present)
      else await database.transaction(request)
    },
  }
}

async function rebuildType<Place>(
  type: ContentType,
  parts: RebuildParts<Place>,
  signal: AbortSignal,
): Promise<void> {
  const { database } = parts
  const next = nextIds(type, database)
  const pace = createPace({ database, most: mostAtOnce })
  for (let after = 0; after !== endOfIds; ) {
    signal.throwIfAborted()
    after = await pace.portion((items) =>
      database.transaction(
        async (tx) => {
          const ids = (await next.all({ after, limit: items }, tx)).map(({ id }) => id)
          const last = ids.length < items ? endOfIds : (ids.at(-1) ?? endOfIds)
          await rebuildRange({ type, after, last, ids }, parts, tx)
          return last
        },
        { isBackground: true },
      ),
    )
  }
}

interface Range {
  readonly type: ContentType
  readonly after: number
  readonly last: number
  /** The entries in the range. */
  readonly ids: readonly number[]
}

/** Indexes a range of entries again, and removes references to things that are gone from the entries. */
async function rebuildRange<Place>(
  { type, after, last, ids }: Range,
  { kind, rows, storedEntries }: RebuildParts<Place>,
  tx: Transaction,
): Promise<void> {
  const { itself: principal, vanished } = kind
  const entries = await storedEntries.lock({ type: type.name, principal, tx }, ids)
  const drafts = await storedEntries.drafts(type.name, ids, tx)
  const named = entries.map(
    (entry): NamedIn<Place> => ({
      type: type.name,
      entryId: entry.id,
      places: kind.placesIn(type, entry, drafts.get(entry.id)),
    }),
  )
  const all = named.flatMap(({ places }) => places)
  const gone = (await vanished?.among(all, tx)) ?? new Set<number>()
  const isGone = (place: Place) => namesSome(kind, place, gone)
  const left = named.map((each) => ({ ...each, places: each.places.filter((place) => !isGone(place)) }))
  await rows.replaceRange({ type: type.name, after, last }, left, tx)
  if (vanished === undefined) return
  for (const { entryId: id, places } of named) {
    if (places.some(isGone)) await takeOut(vanished, storedEntries, { type, id, gone, principal, tx })
  }
}

function nextIds({ table, options }: ContentType, database: Database) {
  const present = options.softDelete ? sql`and deleted_at is null` : sql``
  return query<{ id: number }>(
    database,
    (value) => sql`select id from ${sql.identifier(table)} ${database.dialect.byPrimaryKey}
      where id > ${value('after', 'id')} ${present} order by id limit ${value('limit', 'integer')}`,
    { id: { column: 'id', kind: 'id' } },
  )
}

/** Changes whenever something changes that decides where an entry may refer to something. */
function fingerprintOf<Place>(
  types: readonly ContentType[],
  { fieldsOf }: UsageKind<Place>,
  { components }: Schemas,
): string {
  const described = {
    types: types.map((type) => [type.name, type.options.draftOverlay, fieldsOf(type)]),
    components: [...components.values()].map(({ uid, attributes }) => [uid, [...attributes.values()]]),
  }
  return createHash('sha256').update(JSON.stringify(described)).digest('hex')
}
