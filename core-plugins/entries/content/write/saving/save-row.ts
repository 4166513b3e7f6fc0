import type { Transaction } from '../../../../foundation/database/database.ts'
import { uuidColumn } from '../../../../foundation/schemas/schemas.ts'
import type { PendingDraft } from '../../drafts/pending-drafts.ts'
import type { Entry } from '../../entry/entry.ts'
import { WriteAnnotations } from '../../write-annotation.ts'
import type { StoredEntry } from '../../write-context.ts'
import type { WriteRequest } from '../../write-request.ts'
import { AheadRow, aheadRow } from '../ahead-row.ts'
import { type BatchPlace, batchPlace } from '../batch.ts'
import { changedIn } from '../changed-values.ts'
import { changeContext, createContext } from '../contexts.ts'
import { type KeptTimes, keptTimes } from '../kept-times.ts'
import { formsOf, goesIntoDraft, latestOf } from '../stored-entries.ts'
import { storedTogether } from '../stored-together.ts'
import type { WritableType, WriteDeps } from '../write-deps.ts'
import { performWrite } from '../write-path.ts'
import type { EntryToSave, SavedEntry } from './entry-to-save.ts'
import { isDue, type PublishedRow } from './publish-rows.ts'

export interface RowParts {
  readonly deps: WriteDeps
  readonly type: WritableType
  readonly request: WriteRequest
}

export interface RowOptions {
  readonly place: BatchPlace
  readonly tx: Transaction
  readonly now: string
  /** The entry to update; undefined: a new one is created. */
  readonly stored: StoredEntry | undefined
  /** All entries that are changed together, with and without their drafts. */
  readonly together: readonly Entry[]
}

export interface SavedRow extends SavedEntry {
  /** Set for a new entry that is published next. */
  readonly ahead?: AheadRow | undefined
  /** The draft that was set aside while the public entry is written, to be restored afterwards. */
  readonly aside?: PendingDraft | undefined
  /** True: its publication needs no change. */
  readonly isPublicAsSent?: boolean
}

/** Saves one entry of a batch; the publications of all entries follow together. */
export async function saveRow(parts: RowParts, entry: EntryToSave, options: RowOptions): Promise<SavedRow> {
  return options.stored === undefined
    ? createRow(parts, entry, options)
    : changeRow(parts, entry, { ...options, stored: options.stored })
}

async function createRow(
  { deps, type, request }: RowParts,
  { data, uuid, published = null, ...entry }: EntryToSave,
  { place, tx, now }: RowOptions,
): Promise<SavedRow> {
  const times = { createdAt: entry.createdAt, updatedAt: entry.updatedAt }
  const draftTimes = published === null ? times : beforePublication(times)
  const ahead =
    published === null
      ? undefined
      : AheadRow.publishedAt(published === true ? now : published, { now, times, draftTimes })
  const told = withTimes(annotationsOf(entry, request), draftTimes).with(batchPlace, place)
  const annotations = ahead === undefined ? told : told.with(aheadRow, ahead)
  const context = createContext(type, { ...request, tx, now, annotations }, data)
  if (uuid !== undefined) context.additions.columns = { [uuidColumn]: uuid }
  const { id } = await performWrite(deps, type, context)
  return { id, outcome: 'created', ahead }
}

async function changeRow(
  { deps, type, request }: RowParts,
  entry: EntryToSave,
  { place, tx, now, stored: whole, together }: RowOptions & { readonly stored: StoredEntry },
): Promise<SavedRow> {
  const { id } = whole.row
  const { published = null } = entry
  const aside = comparisonOf(entry) === 'live' ? whole.draft : undefined
  const stored = aside === undefined ? whole : { row: whole.row, draft: undefined }
  const compared = comparisonOf(entry) === undefined ? formsOf(type, stored) : [latestOf(type, stored)]
  const changed = await changeOf({ deps, type, request }, entry.data, { compared, together, tx })
  const isPublishedNext = published !== null && isDue(stored, published, now)
  if (aside !== undefined) {
    if (changed === undefined && !isPublishedNext) return { id, outcome: 'unchanged', isPublicAsSent: true }
    await type.drafts?.remove(type.model.type, [id], tx)
  }
  if (changed === undefined) return { id, outcome: 'unchanged', aside }
  const times = { createdAt: entry.createdAt, updatedAt: entry.updatedAt }
  const annotations = withTimes(
    annotationsOf(entry, request),
    isPublishedNext ? beforePublication(times) : times,
  )
    .with(batchPlace, place)
    .with(storedTogether, together)
  const isDraftWrite = goesIntoDraft(type, stored, now)
  const write = { ...request, tx, now, annotations }
  const context = changeContext(type, 'update', write, stored, { data: changed, isDraftWrite })
  await performWrite(deps, type, context)
  return { id, outcome: context.outcome.event === undefined ? 'unchanged' : 'updated', aside }
}

/** See `EntryToSave`; undefined: compare with both. */
function comparisonOf({ comparedWith, published }: EntryToSave): EntryToSave['comparedWith'] {
  return comparedWith ?? (published === undefined || published === null ? undefined : 'live')
}

/** The fields of a payload that differ from the given forms of an entry. */
async function changeOf(
  { deps, type, request: { principal } }: RowParts,
  data: unknown,
  { compared, together, tx }: { readonly compared: readonly Entry[] } & Pick<RowOptions, 'together' | 'tx'>,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const forms = []
  for (const before of compared) {
    const whole = await deps.hiddenLinks.keep(data, { ...type, before, principal, queries: tx, together })
    forms.push({ before, whole })
  }
  return changedIn(type, data as Readonly<Record<string, unknown>>, forms)
}

/** The publication that is due for a saved entry, if any. */
export function publishedRow(
  request: WriteRequest,
  { index, entry, saved }: { index: number; entry: EntryToSave; saved: SavedRow | undefined },
): PublishedRow[] {
  const { published, updatedAt } = entry
  if (published === undefined || saved === undefined || saved.isPublicAsSent === true) return []
  // A new entry is already a draft.
  if (published === null && saved.outcome === 'created') return []
  const annotations = withTimes(annotationsOf(entry, request), { updatedAt })
  return [{ index, id: saved.id, published, ahead: saved.ahead, annotations }]
}

function annotationsOf(
  { annotations: own }: Pick<EntryToSave, 'annotations'>,
  { annotations = WriteAnnotations.none }: WriteRequest,
): WriteAnnotations {
  return own ?? annotations
}

function withTimes(annotations: WriteAnnotations, times: KeptTimes): WriteAnnotations {
  const isTold = times.createdAt !== undefined || times.updatedAt !== undefined
  return isTold ? annotations.with(keptTimes, times) : annotations
}

/** One millisecond earlier, so that the publication that follows, which moves the time forward, ends at the requested time. */
function beforePublication({ createdAt, updatedAt }: KeptTimes): KeptTimes {
  const before = updatedAt === undefined ? undefined : new Date(Date.parse(updatedAt) - 1).toISOString()
  return { createdAt, updatedAt: before }
}
