import { createHash } from 'node:crypto'
import { type SQL, sql } from 'drizzle-orm'
import { Type } from 'typebox'
import {
  type Columns,
  type Database,
  query,
  type Row,
  selectList,
  type Transaction,
} from '../database/database.ts'
import { defineJob, type JobKind, type Jobs } from '../jobs/jobs.ts'
import { type ContentType, columnOf, type Schemas } from '../schemas/schemas.ts'
import { documentOf } from './document.ts'
import type { IndexScope } from './index-stage.ts'

export interface RebuildScope extends IndexScope {
  readonly database: Database
  readonly schemas: Schemas
  readonly jobs: Jobs
  /** Whether the table of a type has a column `locale`. */
  readonly hasLocale: (type: ContentType) => boolean
}

export interface Rebuild {
  readonly job: JobKind<{ isForced: boolean; fingerprint: string }>
  /** Has those types indexed anew whose documents are not as they should be; all of them where it is forced. */
  request(tx: Transaction, kind: 'stale' | 'all'): Promise<void>
}

/** SQLite answers nobody else meanwhile. */
const entriesAtOnce = 50

/** One run of the job. */
interface RebuildRun {
  readonly job: number
  readonly signal: AbortSignal
  /** Told which part of the type's entries is done, up to 1. */
  advance(part: number): void
}

interface Portion {
  readonly type: ContentType
  readonly nextEntries: ReturnType<typeof entryReader>
  readonly job: number
}

/** Raised when documents are made in another way. */
const indexVersion = 2

export function createRebuild(scope: RebuildScope): Rebuild {
  const { database, engine, texts, state, jobs } = scope
  const fingerprintOf = (type: ContentType) =>
    digest([
      ...[indexVersion, scope.defaultLocale(), describe(type, scope.schemas), texts.titleField(type)],
      ...(scope.hasLocale(type) ? ['locale'] : []),
    ])

  /** Goes on behind the entries that the same job has come to before it was interrupted. */
  async function rebuildType(type: ContentType, from: number, run: RebuildRun): Promise<number> {
    const nextEntries = entryReader(type, scope)
    const newest = (await newestEntry(database, type).get())?.newest ?? 0
    let after = from
    let count = 0
    for (;;) {
      run.signal.throwIfAborted()
      const entries = await rebuildAfter(after, { type, nextEntries, job: run.job })
      count += entries.length
      if (entries.length < entriesAtOnce) break
      after = Number(entries.at(-1)?.id)
      run.advance(after / Math.max(after, newest))
    }
    await removeOrphans(type.name, type, run.signal)
    return count
  }

  /** What is lost with the machine is done again, as the note of it is lost, too. */
  function rebuildAfter(after: number, { type, nextEntries, job }: Portion): Promise<Row[]> {
    const defaultLocale = scope.defaultLocale()
    return database.transaction(
      async (tx) => {
        // Locked, so that no write comes between what is read here and what is made of it.
        const entries = await nextEntries(after, tx)
        const ids = entries.map(({ id }) => Number(id))
        const documents = entries.map((entry) =>
          documentOf({ type, entry, texts: texts.of(type, entry), defaultLocale }),
        )
        await engine.remove(type.name, ids, tx)
        engine.insert(documents, tx)
        await state.setProgress(type.name, { job, upTo: ids.at(-1) ?? after }, tx)
        return entries
      },
      { durability: 'relaxed' },
    )
  }

  /** Documents of entries that were deleted while nobody looked. */
  async function removeOrphans(name: string, type: ContentType | undefined, signal: AbortSignal) {
    for (;;) {
      signal.throwIfAborted()
      const removed = await database.transaction(async (tx) => {
        const ids = await state.orphans(name, type, tx)
        if (ids.length > 0) await engine.remove(name, ids, tx)
        return ids.length
      })
      if (removed === 0) return
    }
  }

  async function forgetOthers(signal: AbortSignal): Promise<void> {
    const known = new Set(texts.types.map(({ name }) => name))
    for (const name of await state.types()) if (!known.has(name)) await removeOrphans(name, undefined, signal)
  }

  const job = defineJob({
    name: 'search.reindex',
    payload: Type.Object({ isForced: Type.Boolean(), fingerprint: Type.String() }),
    timeoutMs: 24 * 60 * 60_000,
    async run({ isForced }, { job: { id: job }, signal, log, reportProgress }) {
      let entries = 0
      for (const [index, type] of texts.types.entries()) {
        const advance = (part: number) => reportProgress(((index + part) / texts.types.length) * 100)
        const from = await startOf(type, { job, isForced })
        if (from !== undefined) {
          log.info(
            { type: type.name, ...(from > 0 && { after: from }) },
            'makes the search documents of a type anew',
          )
          entries += await rebuildType(type, from, { job, signal, advance })
          // While it was interrupted, entries may have been written without their documents.
          if (from > 0 && !(await state.isComplete(type))) {
            entries += await rebuildType(type, 0, { job, signal, advance })
          }
          await engine.settle()
          await state.finish(type.name, { job, fingerprint: fingerprintOf(type) })
        }
        advance(1)
      }
      await forgetOthers(signal)
      return { entries }
    },
  })

  /** The entry behind which a job has to begin with a type; undefined where there is nothing to do. */
  async function startOf(type: ContentType, { job, isForced }: { job: number; isForced: boolean }) {
    const progress = await state.progress(type.name, job)
    if (progress !== 'done' && progress > 0) return progress
    if (isForced) return progress === 'done' ? undefined : 0
    const isKnown = (await state.fingerprint(type.name)) === fingerprintOf(type)
    return isKnown && (await state.isComplete(type)) ? undefined : 0
  }

  return {
    job,
    async request(tx, kind) {
      const isForced = kind === 'all'
      const fingerprint = digest(texts.types.map(fingerprintOf))
      const key = `search.reindex ${kind} ${fingerprint}`
      await jobs.enqueue(tx, job, { isForced, fingerprint }, { key, mailbox: 'search.reindex' })
    },
  }
}

function newestEntry(database: Database, { table }: ContentType) {
  return query<{ newest: number | null }>(
    database,
    () => sql`select max(id) as ${sql.identifier('newest')} from ${sql.identifier(table)}`,
    { newest: { column: 'newest', kind: 'integer' } },
  )
}

/** Reads what documents are made of, in the order of ids. */
function entryReader(type: ContentType, { database, hasLocale }: RebuildScope) {
  const attributes = [...type.attributes.values()].flatMap((attribute) => {
    const column = columnOf(attribute)
    const isSearched = column !== undefined && ['string', 'text', 'json'].includes(column.kind)
    return isSearched ? [[attribute.name, { column: column.name, kind: column.kind }] as const] : []
  })
  const system = [
    'updated_at',
    ...(type.options.draftAndPublish ? ['published_at'] : []),
    ...(hasLocale(type) ? ['locale'] : []),
  ]
  const columns: Columns = {
    ...Object.fromEntries(attributes),
    ...Object.fromEntries(
      system.map((column) => [
        column,
        { column, kind: column === 'locale' ? 'string' : 'datetime' } as const,
      ]),
    ),
    id: { column: 'id', kind: 'id' },
  }
  const present: SQL = type.options.softDelete ? sql` and deleted_at is null` : sql``
  const next = query<Row>(
    database,
    (value) => sql`select ${selectList(database, columns)} from ${sql.identifier(type.table)}
      where id > ${value('after', 'id')}${present} order by id limit ${sql.raw(String(entriesAtOnce))}
      ${database.dialect.forUpdate}`,
    columns,
  )
  return (after: number, tx: Transaction) => next.all({ after }, tx)
}

/** All that decides what of an entry is searched. */
function describe(type: ContentType, schemas: Schemas): unknown {
  const components = [...schemas.components.values()].map(({ uid, attributes }) => [
    uid,
    [...attributes.values()],
  ])
  return [type.name, type.options, [...type.attributes.values()], components]
}

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 32)
}
