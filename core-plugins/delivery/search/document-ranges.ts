import { type SQL, sql } from 'drizzle-orm'
import { createPace, type Pace } from '../../background/jobs/jobs.ts'
import type { ChangeLog } from '../../entries/changes/changes.ts'
import {
  type Columns,
  type Database,
  query,
  type Row,
  selectList,
  type Transaction,
} from '../../foundation/database/database.ts'
import { type ContentType, columnOf } from '../../foundation/schemas/schemas.ts'
import { sourceOf } from './document.ts'
import type { DocumentsOf, IdRange, IndexComparison } from './index-comparison.ts'
import type { IndexDeps } from './index-stage.ts'
import { indexName } from './index-state.ts'

export interface DocumentRangeDeps extends IndexDeps {
  readonly database: Database
  readonly changeLog: ChangeLog | undefined
  readonly comparison: IndexComparison
  /** Whether the table of a type has a column `locale`. */
  readonly hasLocale: (type: ContentType) => boolean
}

/** One run of the job that builds documents. */
export interface BuildingRun {
  /** The job for which progress is stored; undefined if progress need not be stored. */
  readonly job?: number
  readonly signal: AbortSignal
  readonly pace: Pace
  /** Reports the finished fraction of the type's entries, up to 1. */
  advance(part: number): void
}

/** Builds the documents of many entries in portions. */
export interface DocumentRanges {
  /** Builds the documents of a range of entries and removes documents of missing entries; returns the number of entries. */
  build(type: ContentType, range: IdRange, run: BuildingRun): Promise<number>
  /** Removes documents of entries that were deleted without updating the index. */
  removeOrphans(documents: DocumentsOf, range: IdRange, signal: AbortSignal): Promise<void>
}

const mostOrphans = 500
/** Need not survive a power failure: progress and documents are lost together, so they are built again. */
const background = { durability: 'relaxed', isBackground: true } as const

export function createDocumentRanges(deps: DocumentRangeDeps): DocumentRanges {
  const { changeLog, comparison, database, engine } = deps

  /** The entries are unchanged, but searches may return other results. */
  const noteChange = (tx: Transaction) => changeLog?.note({ kind: 'update', type: indexName }, tx)

  async function removeOrphans(documents: DocumentsOf, { after, last: end }: IdRange, signal: AbortSignal) {
    const pace = createPace({ database, most: mostOrphans })
    for (let at = after; at < end; ) {
      signal.throwIfAborted()
      at = await pace.portion(async (items) => {
        const { orphans, last } = await comparison.orphans(documents, { after: at, last: end, items })
        if (orphans.length === 0) return last
        await database.transaction(async (tx) => {
          const still = await comparison.orphans(documents, { after: at, last, items }, tx)
          await engine.remove(documents.name, still.orphans, tx)
          noteChange(tx)
        }, background)
        return last
      })
    }
  }

  return {
    removeOrphans,
    async build(type, range, { job, signal, pace, advance }) {
      const buildNext = portionBuilder(type, { ...deps, job, noteChange })
      const newest = (await newestEntry(database, type).get())?.newest ?? 0
      let count = 0
      for (let after = range.after; after < range.last; ) {
        signal.throwIfAborted()
        const built = await pace.portion((items) => buildNext({ after, last: range.last, items }))
        count += built.entries
        after = built.last
        advance(Math.min(1, after / Math.max(1, newest)))
      }
      await removeOrphans({ name: type.name, type }, range, signal)
      return count
    },
  }
}

interface PortionDeps extends DocumentRangeDeps {
  readonly job: number | undefined
  readonly noteChange: (tx: Transaction) => void
}

type Portion = IdRange & { readonly items: number }

function portionBuilder(type: ContentType, deps: PortionDeps) {
  const { database, documents, engine, job, noteChange, state, texts, vocabulary } = deps
  const nextEntries = entryReader(type, deps)
  const defaultLocale = deps.defaultLocale()

  async function build({ after, last, items }: Portion, tx: Transaction) {
    // Locked, so that the entries cannot change between reading and indexing.
    const entries = await nextEntries.all({ after, last, items }, tx)
    const ids = entries.map(({ id }) => Number(id))
    const { rows, spelled } = await documents.aside(
      entries.map((entry) => sourceOf(type, entry, { texts: texts.of(type, entry), defaultLocale })),
    )
    await engine.remove(type.name, ids, tx)
    engine.insert(rows, tx)
    await vocabulary.add(spelled, tx)
    if (ids.length > 0) noteChange(tx)
    const upTo = ids.at(-1) ?? after
    if (job !== undefined) await state.setProgress(type.name, { job, upTo }, tx)
    return { entries: ids.length, last: ids.length < items ? last : upTo }
  }

  return (portion: Portion) => database.transaction((tx) => build(portion, tx), background)
}

function newestEntry(database: Database, { table }: ContentType) {
  return query<{ newest: number | null }>(
    database,
    () => sql`select max(id) as ${sql.identifier('newest')} from ${sql.identifier(table)}`,
    { newest: { column: 'newest', kind: 'integer' } },
  )
}

/** Reads the data for documents, ordered by id. */
function entryReader(type: ContentType, { database, hasLocale }: DocumentRangeDeps) {
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
  return query<Row>(
    database,
    (
      value,
    ) => sql`select ${selectList(database, columns)} from ${sql.identifier(type.table)} ${database.dialect.byPrimaryKey}
      where id > ${value('after', 'id')} and id <= ${value('last', 'id')}${present}
      order by id limit ${value('items', 'integer')} ${database.dialect.forUpdate}`,
    columns,
  )
}
