import { sql } from 'drizzle-orm'
import {
  column,
  type Database,
  defineTable,
  query,
  type RowOf,
  type Transaction,
} from '../../../foundation/database/database.ts'
import { mediaTable } from '../../media/media.ts'

/** The variants of files. A variant is listed before it is written, with a size of 0 bytes until it is complete. */
export const variantsTable = defineTable(
  'svc_media_variants',
  {
    file: column.string(100),
    /** The options with the extension: `w640.webp`. */
    ops: column.string(100),
    bytes: column.integer(),
    usedAt: column.datetime(),
  },
  { primaryKey: ['file', 'ops'], indexes: [{ columns: ['usedAt'], type: 'index' }] },
)

export type VariantRow = RowOf<typeof variantsTable>
export type VariantName = Pick<VariantRow, 'file' | 'ops'>

/** Longer than making and storing a variant takes; after this time, the process that listed it is dead. */
const pendingMs = 60 * 60_000
const mostAtOnce = 200

/** The list of variants. The files themselves are in the storage. */
export interface VariantStore {
  /** Lists a variant; to be called before the first byte is written. */
  announce(variant: VariantName): Promise<void>
  /** Marks a stored variant as complete. Returns false if its file no longer has a record, in which case it must be removed. */
  confirm(variant: VariantName, bytes: number): Promise<boolean>
  forget(variant: VariantName): Promise<void>
  /** Records that variants were used. */
  touch(variants: readonly VariantName[]): Promise<void>
  /** The total size of all variants. */
  bytes(): Promise<number>
  /** Some of the complete variants, least recently used first. */
  leastUsed(): Promise<VariantRow[]>
  /** Some of the variants that were listed but never completed. */
  abandoned(): Promise<VariantRow[]>
  /** Some of the complete variants of files without a record. */
  orphans(): Promise<VariantRow[]>
  /** Some of the complete variants of the given files. */
  ofFiles(files: readonly string[]): Promise<VariantRow[]>
}

/** Makes the access to the list. */
export function createVariantStore(database: Database): VariantStore {
  const all = variantsTable.on(database)
  const { file, ops, bytes, usedAt } = variantsTable.columns
  const insertion = all.insert({ ignoreDuplicates: true })
  const completion = all.update(['bytes', 'usedAt'], ['file', 'ops'])
  const use = all.update(['usedAt'], ['file', 'ops'])
  const removal = all.delete(['file', 'ops'])
  const limit = mostAtOnce
  const orderBy = sql`${usedAt}`
  const leastUsed = all.find(() => sql`${bytes} > 0`, { orderBy, limit })
  const abandoned = all.find((value) => sql`${bytes} = 0 and ${usedAt} < ${value(usedAt, 'before')}`, {
    ...{ orderBy, limit },
  })
  const ofFiles = all.find((_, inList) => sql`${bytes} > 0 and ${inList(file, 'files')}`, { limit })
  const orphans = query<VariantRow>(
    database,
    () => sql`select ${file}, ${ops}, ${bytes}, ${usedAt} from ${variantsTable} where ${bytes} > 0
      and not exists (select 1 from ${mediaTable} where ${mediaTable.columns.filename} = ${file})
      limit ${sql.raw(String(mostAtOnce))}`,
    variantsTable.columns,
  )
  const total = query<{ total: number | string | null }>(
    database,
    () => sql`select sum(${bytes}) as total from ${variantsTable}`,
    { total: column.bigint() },
  )
  const record = mediaTable.on(database).find(['filename'], { pick: ['id'], lock: true })

  const now = () => new Date().toISOString()

  async function complete(variant: VariantName, size: number, tx: Transaction): Promise<boolean> {
    // Locked, so that a later deletion of the file finds the completed variant and removes it.
    if ((await record.get({ filename: variant.file }, tx)) === undefined) return false
    const row = { ...variant, bytes: size, usedAt: now() }
    if ((await completion.run(row, tx)).changes === 0) await insertion.run(row, tx)
    return true
  }

  return {
    async announce(variant) {
      const row = { ...variant, bytes: 0, usedAt: now() }
      if ((await use.run(row)).changes === 0) await insertion.run(row)
    },
    confirm: (variant, size) => database.transaction((tx) => complete(variant, size, tx)),
    async forget(variant) {
      await removal.run(variant)
    },
    async touch(variants) {
      for (const variant of variants) await use.run({ ...variant, usedAt: now() })
    },
    bytes: async () => Number((await total.get())?.total ?? 0),
    leastUsed: () => leastUsed.all({}),
    abandoned: () => abandoned.all({ before: new Date(Date.now() - pendingMs).toISOString() }),
    orphans: () => orphans.all({}),
    ofFiles: (files) => ofFiles.all({ files }),
  }
}
