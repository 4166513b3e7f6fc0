import type { Transaction } from '../../database/database.ts'
import { AppError, type Principal } from '../../http/http.ts'
import type {
  Content,
  Entry,
  EntryWriteRequest,
  SingleWriteRequest,
  WriteOperation,
  WriteRequest,
} from '../content.ts'
import { withDraft } from '../draft-overlay.ts'
import { type EntryModel, isReference, targetNameOf } from '../entry-model.ts'
import { entriesAtOnce, portionsOf } from './portions.ts'
import { type LinkChange, relinked } from './relinked.ts'
import { createTrash } from './trash.ts'
import { failedAlike } from './write-errors.ts'
import {
  type CompiledType,
  createWriteRunner,
  type OpenedEntry,
  shownEntry,
  type Write,
  type WriteRunner,
  type WriterScope,
} from './write-runner.ts'

export type Writer = Omit<
  Content,
  | 'list'
  | 'find'
  | 'findMany'
  | 'findSingle'
  | 'field'
  | 'fieldNames'
  | 'completeComponents'
  | 'select'
  | 'singleId'
  | 'forgetQueries'
  | 'expander'
  | 'within'
  | 'answerBudget'
  | 'drafts'
  | 'keepsDrafts'
  | 'systemEntries'
>

/** All writes, with middleware, events and transactions. */
export function createWriter(scope: WriterScope): Writer {
  const runner = createWriteRunner(scope)
  const { typeOf, inTransaction, run, open, openRow } = runner

  /** One operation on one entry that is there. */
  function onEntry(operation: WriteOperation, request: EntryWriteRequest, data?: unknown): Promise<Entry> {
    const type = typeOf(request.type)
    const { principal, ip } = request
    return inTransaction(request, async (tx) => {
      const opened = await open(type, request, tx)
      return run(type, { operation, principal, ip, tx, opened, data })
    })
  }

  /** Who may publish may do so with drafts, also where they may not read those. */
  function onDraft(
    operation: 'publish' | 'unpublish',
    request: EntryWriteRequest,
    data: unknown,
  ): Promise<Entry> {
    const type = typeOf(request.type)
    const { principal, ip, id } = request
    requireDrafts(type.model)
    return inTransaction(request, async (tx) => {
      const opened = await openRow(type, request, await type.store.load(id, tx), tx)
      if (opened === undefined) throw AppError.notFound(`${request.type} ${id}`)
      return run(type, { operation, principal, ip, tx, opened, data })
    })
  }

  const deleteMany: Writer['deleteMany'] = (request, ids) => {
    const type = typeOf(request.type)
    const { principal, ip } = request
    return inTransaction(request, async (tx) => {
      const all = await openMany(runner, type, ids, principal, tx)
      for (const opened of all) await run(type, { operation: 'delete', principal, ip, tx, opened })
      return all.map(({ row }) => row.id)
    })
  }

  const updateMany: Writer['updateMany'] = (request, ids, data) => {
    const type = typeOf(request.type)
    const { principal, ip } = request
    return inTransaction(request, async (tx) => {
      const all = await openMany(runner, type, ids, principal, tx)
      for (let start = 0; start < all.length; start += entriesAtOnce) {
        // Of one moment, so that they are written alike.
        const write = { operation: 'update', principal, ip, tx, data, now: new Date().toISOString() } as const
        const writes = all.slice(start, start + entriesAtOnce).map((opened) => ({ ...write, opened }))
        await runner.runTogether(type, writes, { tx, explain: failedAlike })
      }
      return all.map(({ row }) => row.id)
    })
  }

  async function onManyDrafts(
    operation: 'publish' | 'unpublish',
    request: WriteRequest,
    ids: readonly number[],
  ): Promise<void> {
    const type = typeOf(request.type)
    const { principal, ip } = request
    requireDrafts(type.model)
    await inTransaction(request, async (tx) => {
      for (const portion of portionsOf(ids)) {
        const entries = await type.store.loadMany(portion, tx)
        requireAll(type.model, entries, portion)
        // Of one moment, so that they are written alike.
        const now = new Date().toISOString()
        const opened = await runner.withDrafts(type, entries, tx)
        const writes = opened.map((each) => ({ operation, principal, ip, tx, opened: each, data: {}, now }))
        await runner.runTogether(type, writes, { tx })
      }
    })
  }

  function create(request: WriteRequest, data: unknown): Promise<Entry> {
    const type = typeOf(request.type)
    const { principal, ip } = request
    return inTransaction(request, (tx) => run(type, { operation: 'create', principal, ip, tx, data }))
  }

  async function openSingle(
    type: CompiledType,
    { query, ...request }: SingleWriteRequest,
    { tx, data = {} }: { readonly tx: Transaction; readonly data?: unknown },
  ) {
    const { id, values } = await scope.singles.ofWrite(type.model, { query, data }, tx)
    return { values, opened: id === undefined ? undefined : await open(type, { ...request, id }, tx) }
  }

  const putSingle: Writer['putSingle'] = async (request, data) => {
    const type = typeOf(request.type)
    const { principal, ip } = request
    const put = () =>
      inTransaction(request, async (tx) => {
        const { opened, values } = await openSingle(type, request, { tx, data })
        const write = { principal, ip, tx }
        const entry =
          opened === undefined
            ? await run(type, { ...write, operation: 'create', data: { ...Object(data), ...values } })
            : await run(type, { ...write, operation: 'update', opened, data })
        return { entry, isNew: opened === undefined }
      })
    try {
      return await put()
    } catch (error) {
      // Somebody else made the entry between the look and the write; now it can be updated.
      if (error instanceof AppError && error.code === 'CONFLICT' && request.tx === undefined) return put()
      throw error
    }
  }

  const deleteSingle: Writer['deleteSingle'] = (request) => {
    const type = typeOf(request.type)
    const { principal, ip } = request
    return inTransaction(request, async (tx) => {
      const { opened } = await openSingle(type, request, { tx })
      if (opened === undefined) throw AppError.notFound(request.type)
      return run(type, { operation: 'delete', principal, ip, tx, opened })
    })
  }

  const repair: Writer['repair'] = (request, change) => {
    const type = typeOf(request.type)
    const { id, principal, ip } = request
    return inTransaction(request, async (tx) => {
      const row = await type.store.load(id, tx)
      const [opened] = row === undefined ? [] : await runner.withDrafts(type, [row], tx)
      if (opened === undefined) return
      const repairing = { operation: 'update', principal, ip, tx, isRepair: true } as const
      await repairDraft(type, { ...repairing, opened }, change)
      const data = change(opened.row)
      if (Object.keys(data).length === 0) return
      // The draft may be another one by now.
      const [current] = await runner.withDrafts(type, [opened.row], tx)
      await run(type, { ...repairing, opened: current ?? opened, data })
    })
  }

  const repairMany: Writer['repairMany'] = (request, ids, change) => {
    const type = typeOf(request.type)
    const { principal, ip } = request
    const changeOf = (entry: Entry) => {
      const data = change(entry)
      return Object.keys(data).length === 0 ? undefined : data
    }
    return inTransaction(request, (tx) => runner.repairTogether(type, { principal, ip, ids, tx }, changeOf))
  }

  /** Of a draft, only what stands in it is set right: the rest is the entry's. */
  async function repairDraft(
    type: CompiledType,
    write: Write & { readonly opened: OpenedEntry },
    change: Parameters<Writer['repair']>[1],
  ): Promise<void> {
    const { row, draft } = write.opened
    if (draft === undefined) return
    const changed = Object.entries(change(withDraft(type.model, row, draft)))
    const data = Object.fromEntries(changed.filter(([name]) => Object.hasOwn(draft.values, name)))
    if (Object.keys(data).length > 0) await run(type, { ...write, data, isDraftWrite: true })
  }

  const discard: Writer['discard'] = async (request) => {
    if (typeOf(request.type).drafts !== undefined) return onEntry('discard', request)
    throw AppError.notFound(`draft of ${request.type} ${request.id}`)
  }

  /** A link from the inverse side is a change of the entry on the owning side. */
  function relink(
    request: EntryWriteRequest,
    field: string,
    targetId: number,
    change: LinkChange,
  ): Promise<Entry> {
    const type = typeOf(request.type)
    const { principal, ip } = request
    return inTransaction(request, async (tx) => {
      const opened = await open(type, request, tx)
      requireOpenTarget(type.model, field, principal)
      const inverse = type.model.inverses.get(field)
      if (inverse === undefined) {
        const data = relinked(type.model, latestOf(type, opened), field, change, targetId)
        return run(type, { operation: 'update', principal, ip, tx, opened, data, linked: targetId })
      }
      if (!scope.auth.mayContent(principal, inverse.target.name, 'update')) scope.auth.refuse(principal)
      const ownerType = typeOf(inverse.target.name)
      const owner = await openTarget(runner, ownerType, targetId, principal, tx)
      const latest = latestOf(ownerType, owner)
      const data = relinked(ownerType.model, latest, inverse.owner.name, change, request.id)
      await run(ownerType, {
        operation: 'update',
        principal,
        ip,
        tx,
        opened: owner,
        data,
        linked: request.id,
      })
      const entry = shownEntry(type.model, opened.row)
      return runner.answer(type, { entry, draft: opened.draft }, { principal, tx })
    })
  }

  /** Whether something was linked before is told by the answer. @throws AppError 401, 403 */
  function requireOpenTarget({ type }: EntryModel, field: string, principal: Principal): void {
    const attribute = type.attributes.get(field)
    const target = isReference(attribute) ? scope.models.get(targetNameOf(attribute)) : undefined
    if (target === undefined || target.type.system) return
    if (!scope.auth.mayContent(principal, target.type.name, 'read')) scope.auth.refuse(principal)
  }

  return {
    create,
    update: (request, data) => onEntry('update', request, data),
    delete: (request) => onEntry('delete', request),
    ...createTrash(runner, scope),
    lock: ({ type, tx }, ids) => typeOf(type).store.loadMany(ids, tx),
    repair,
    repairMany,
    publish: (request, publishedAt) =>
      onDraft('publish', request, publishedAt === undefined ? {} : { publishedAt }),
    unpublish: (request) => onDraft('unpublish', request, {}),
    discard,
    publishMany: (request, ids) => onManyDrafts('publish', request, ids),
    unpublishMany: (request, ids) => onManyDrafts('unpublish', request, ids),
    putSingle,
    deleteSingle,
    updateMany,
    deleteMany,
    link: (request, field, targetId) => relink(request, field, targetId, 'link'),
    unlink: (request, field, targetId) => relink(request, field, targetId, 'unlink'),
  }
}

function requireDrafts({ type }: EntryModel): void {
  if (type.options.draftAndPublish) return
  const message = `${type.name} has no drafts; set options.draftAndPublish in its schema to publish entries`
  throw AppError.invalid([{ path: 'type', code: 'unsupported', message }])
}

/** Locks many entries with one query. @throws AppError 404 naming those that are not there */
async function openMany(
  runner: WriteRunner,
  type: CompiledType,
  ids: readonly number[],
  principal: Principal,
  tx: Transaction,
) {
  const found = (await type.store.loadMany(ids, tx)).filter((entry) =>
    runner.maySee(type.model, entry, principal),
  )
  requireAll(type.model, found, ids)
  return runner.withDrafts(type, found, tx)
}

/** The entry that a change starts from. */
function latestOf({ model }: CompiledType, { row, draft }: OpenedEntry): Entry {
  return withDraft(model, row, draft)
}

function requireAll({ type }: EntryModel, found: readonly Entry[], ids: readonly number[]): void {
  const foundIds = new Set(found.map(({ id }) => id))
  const missing = [...new Set(ids)].filter((id) => !foundIds.has(id))
  if (missing.length > 0) throw AppError.notFound(`${type.name} ${missing.slice(0, 20).join(', ')}`)
}

async function openTarget(
  runner: WriteRunner,
  type: CompiledType,
  id: number,
  principal: Principal,
  tx: Transaction,
): Promise<OpenedEntry> {
  const row = await type.store.load(id, tx)
  const isSeen = row !== undefined && runner.maySee(type.model, row, principal)
  const [opened] = isSeen ? await runner.withDrafts(type, [row], tx) : []
  if (opened !== undefined) return opened
  const message = `there is no ${type.model.type.name} with id ${id}`
  throw AppError.invalid([{ path: 'id', code: 'reference', message }])
}
