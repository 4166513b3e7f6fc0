import type { Media } from '../../delivery/media/media.ts'
import type { Schemas } from '../../foundation/schemas/schemas.ts'
import type { ImportRecord } from '../import-export/import-export.ts'
import type { Migrated } from './migrated.ts'
import { putAddresses, putIds } from './references.ts'
import type { MigrationSource, SourceEntry, SourceType } from './source.ts'

export interface RecordParts {
  readonly schemas: Schemas
  readonly media: Media
  readonly migrated: Migrated
}

/** The number of entries that the import stores in one transaction. */
const entriesAtOnce = 500

/** The published values of all entries, always in the same order, so that an interrupted import can continue. */
export async function* publicRecords(
  source: MigrationSource,
  parts: RecordParts,
): AsyncGenerator<ImportRecord> {
  for (const type of source.types) yield* recordsOfType(source, type, parts, publicRecord)
}

/** References between entries of the same type and pending drafts, which are imported after all entries. */
export async function* laterRecords(
  source: MigrationSource,
  parts: RecordParts,
): AsyncGenerator<ImportRecord> {
  for (const type of source.types) yield* recordsOfType(source, type, parts, laterRecord)
}

type ToRecord = (entry: SourceEntry) => Record<string, unknown> | undefined

async function* recordsOfType(
  source: MigrationSource,
  type: SourceType,
  parts: RecordParts,
  toRecord: ToRecord,
): AsyncGenerator<ImportRecord> {
  let records: Record<string, unknown>[] = []
  for (const entry of source.entries(type)) {
    const record = toRecord(entry)
    if (record !== undefined) records.push(record)
    if (records.length < entriesAtOnce) continue
    yield* ready(type, records, parts)
    records = []
  }
  yield* ready(type, records, parts)
}

async function* ready({ type }: SourceType, records: Record<string, unknown>[], parts: RecordParts) {
  await putIds(type, records, parts)
  await putAddresses(records, parts)
  for (const data of records) yield { type, data }
}

function publicRecord({
  uuid,
  locale,
  localizationOf,
  values,
  publishedAt,
  createdAt,
  updatedAt,
}: SourceEntry) {
  return {
    ...values,
    uuid,
    ...(locale === undefined ? {} : { locale }),
    ...(localizationOf === undefined ? {} : { localization_of: { uuid: localizationOf } }),
    ...(publishedAt === undefined ? {} : { published_at: publishedAt }),
    ...(createdAt === undefined ? {} : { created_at: createdAt }),
    ...(updatedAt === undefined ? {} : { updated_at: updatedAt }),
  }
}

function laterRecord({ uuid, locale, completion, draft }: SourceEntry) {
  if (completion === undefined && draft === undefined) return undefined
  return { ...completion, ...draft, uuid, ...(locale === undefined ? {} : { locale }) }
}
