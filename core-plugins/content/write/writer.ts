import { compilePipeline, type Pipeline, type PluginContext } from '../../../kernel/index.ts'
import type { Auth } from '../../auth/auth.ts'
import type { Transaction } from '../../database/database.ts'
import { AppError, type Principal } from '../../http/http.ts'
import {
  type Content,
  type ContentEvent,
  type Entry,
  type EntryEvent,
  type EntryWriteRequest,
  entryCreated,
  entryDeleted,
  entryPublished,
  entryUnpublished,
  entryUpdated,
  type WriteContext,
  type WriteOperation,
  type WriteRequest,
  type WriteStage,
} from '../content.ts'
import type { EntryModel } from '../entry-model.ts'
import { compilePayload } from '../payload/payload.ts'
import type { ReadScope } from '../read/compiled-read.ts'
import { requireVersion } from '../version.ts'
import { createEntryStore } from './entry-store.ts'
import { createOperations, isPublishedAt, type Operation, type WritableType } from './operations.ts'
import { createReferenceChecker } from './references.ts'
import { compileReferrers } from './removal.ts'
import { createSingleClaims } from './single-claims.ts'
import { createWriteAnswers } from './write-answers.ts'
import { BrokenReference } from './write-errors.ts'

export type Writer = Omit<Content, 'list' | 'find' | 'findSingle'>

export interface WriterScope extends ReadScope {
  readonly auth: Auth
  readonly emit: PluginContext['emit']
  /** Complete once all plugins have booted; asked at the first write. */
  readonly stages: () => readonly WriteStage[]
}

type Compiled = WritableType & { readonly pipelines: Record<WriteOperation, Pipeline<WriteContext, Entry>> }

const hooks = {
  create: entryCreated,
  update: entryUpdated,
  delete: entryDeleted,
  publish: entryPublished,
  unpublish: entryUnpublished,
} as const satisfies Record<ContentEvent, { id: string }>

/** All writes, with middleware, events and transactions. */
export function createWriter(scope: WriterScope): Writer {
  const { database, models, auth, schemas } = scope
  const references = createReferenceChecker(scope)
  const claims = createSingleClaims(database)
  const answers = createWriteAnswers(scope)
  const compiled = new Map<string, Compiled>()

  /** Compiled at the first write of a type, since middleware may come from any plugin. */
  function typeOf(name: string): Compiled {
    const kept = compiled.get(name)
    if (kept !== undefined) return kept
    const model = models.get(name)
    if (model === undefined || model.type.system) throw AppError.notFound(`content type ${name}`)
    const made = compileType(model)
    compiled.set(name, made)
    return made
  }

  function compileType(model: EntryModel): Compiled {
    const type = {
      model,
      store: createEntryStore(model, scope),
      checker: compilePayload(model.type, schemas),
      referrers: compileReferrers(model, scope),
    }
    const operations = createOperations(type, { references, claims, deleteAlong })
    const pipelineOf = (operation: WriteOperation, core: Operation) =>
      compilePipeline(scope.stages(), { type: model.type, operation }, core)
    const pipelines = Object.fromEntries(
      Object.entries(operations).map(([operation, core]) => [
        operation,
        pipelineOf(operation as WriteOperation, core),
      ]),
    ) as Compiled['pipelines']
    return { ...type, pipelines }
  }

  /** The work's own transaction, or the one that the caller has open. */
  async function inTransaction<T>(request: WriteRequest, work: (tx: Transaction) => Promise<T>): Promise<T> {
    if (request.tx !== undefined) return work(request.tx)
    try {
      return await database.transaction(work)
    } catch (error) {
      if (!(error instanceof BrokenReference)) throw error
      const details = await references.findMissing(error.references, request.principal, database)
      throw details.length > 0 ? AppError.invalid(details) : error
    }
  }

  interface Write {
    readonly operation: WriteOperation
    readonly principal: Principal
    readonly tx: Transaction
    readonly before?: Entry
    readonly data?: unknown
  }

  async function run(type: Compiled, write: Write): Promise<Entry> {
    const { operation, principal, tx, before, data } = write
    const context: WriteContext = {
      type: type.model.type,
      operation,
      principal,
      tx,
      now: new Date().toISOString(),
      before,
      data: data as WriteContext['data'],
      event: undefined,
    }
    const entry = shownEntry(type.model, await type.pipelines[operation](context))
    const { event } = context
    if (event !== undefined) {
      const payload: EntryEvent = { contentType: type.model.type.name, entry, principal }
      tx.afterCommit(() => scope.emit(hooks[event], payload))
    }
    return answers.answerTo(principal, type.model, entry, tx)
  }

  async function deleteAlong(model: EntryModel, id: number, { principal, tx }: WriteContext): Promise<void> {
    const type = typeOf(model.type.name)
    const before = await type.store.load(id, tx)
    if (before !== undefined) await run(type, { operation: 'delete', principal, tx, before })
  }

  /** Locks the entry that a write is about. @throws AppError 404, also for what the caller may not see; 412 */
  async function open(type: Compiled, request: EntryWriteRequest, tx: Transaction): Promise<Entry> {
    const entry = await type.store.load(request.id, tx)
    if (entry === undefined || !maySee(type.model, entry, request.principal)) {
      throw AppError.notFound(`${type.model.type.name} ${request.id}`)
    }
    requireVersion(request.ifMatch, entry)
    return entry
  }

  function maySee({ type }: EntryModel, entry: Entry, principal: Principal): boolean {
    if (!type.options.draftAndPublish) return true
    return auth.seesDrafts(principal, type.name) || isPublishedAt(entry, new Date().toISOString())
  }

  /** One operation on one entry that is there. */
  function onEntry(operation: WriteOperation, request: EntryWriteRequest, data?: unknown): Promise<Entry> {
    const type = typeOf(request.type)
    const { principal } = request
    return inTransaction(request, async (tx) => {
      const before = await open(type, request, tx)
      return run(type, { operation, principal, tx, before, data })
    })
  }

  /** Who may publish may do so with drafts, also where they may not read those. */
  function onDraft(
    operation: 'publish' | 'unpublish',
    request: EntryWriteRequest,
    data: unknown,
  ): Promise<Entry> {
    const type = typeOf(request.type)
    const { principal, id, ifMatch } = request
    requireDrafts(type.model)
    return inTransaction(request, async (tx) => {
      const before = await type.store.load(id, tx)
      if (before === undefined) throw AppError.notFound(`${request.type} ${id}`)
      requireVersion(ifMatch, before)
      return run(type, { operation, principal, tx, before, data })
    })
  }

  /** Locks many entries with one query. @throws AppError 404 naming those that are not there */
  async function openMany(type: Compiled, ids: readonly number[], principal: Principal, tx: Transaction) {
    const found = (await type.store.loadMany(ids, tx)).filter((entry) => maySee(type.model, entry, principal))
    const foundIds = new Set(found.map(({ id }) => id))
    const missing = [...new Set(ids)].filter((id) => !foundIds.has(id))
    if (missing.length > 0)
      throw AppError.notFound(`${type.model.type.name} ${missing.slice(0, 20).join(', ')}`)
    return found
  }

  function onMany(
    operation: 'update' | 'delete',
    request: WriteRequest,
    ids: readonly number[],
    data?: unknown,
  ) {
    const type = typeOf(request.type)
    const { principal } = request
    return inTransaction(request, async (tx) => {
      const entries: Entry[] = []
      for (const before of await openMany(type, ids, principal, tx)) {
        entries.push(await run(type, { operation, principal, tx, before, data }))
      }
      return entries
    })
  }

  function create(request: WriteRequest, data: unknown): Promise<Entry> {
    const type = typeOf(request.type)
    const { principal } = request
    return inTransaction(request, (tx) => run(type, { operation: 'create', principal, tx, data }))
  }

  async function openSingle(
    type: Compiled,
    request: WriteRequest & { ifMatch?: string | undefined },
    tx: Transaction,
  ) {
    const found = await type.store.loadSingle(tx)
    if (found === undefined) return undefined
    return open(type, { ...request, id: found.id }, tx)
  }

  const putSingle: Writer['putSingle'] = async (request, data) => {
    const type = typeOf(request.type)
    const { principal } = request
    const put = () =>
      inTransaction(request, async (tx) => {
        const before = await openSingle(type, request, tx)
        const entry =
          before === undefined
            ? await run(type, { operation: 'create', principal, tx, data })
            : await run(type, { operation: 'update', principal, tx, before, data })
        return { entry, isNew: before === undefined }
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
    const { principal } = request
    return inTransaction(request, async (tx) => {
      const before = await openSingle(type, request, tx)
      if (before === undefined) throw AppError.notFound(request.type)
      return run(type, { operation: 'delete', principal, tx, before })
    })
  }

  const restore: Writer['restore'] = (request) => {
    const type = typeOf(request.type)
    const { principal } = request
    return inTransaction(request, async (tx) => {
      const before = await type.store.loadDeleted(request.id, tx)
      if (before === undefined) throw AppError.notFound(`deleted ${request.type} ${request.id}`)
      requireVersion(request.ifMatch, before)
      return run(type, { operation: 'restore', principal, tx, before })
    })
  }

  /** A link from the inverse side is a change of the entry on the owning side. */
  function relink(
    request: EntryWriteRequest,
    field: string,
    targetId: number,
    change: LinkChange,
  ): Promise<Entry> {
    const type = typeOf(request.type)
    const { principal } = request
    return inTransaction(request, async (tx) => {
      const before = await open(type, request, tx)
      const inverse = type.model.inverses.get(field)
      if (inverse === undefined) {
        const data = relinked(type.model, before, field, change, targetId)
        return run(type, { operation: 'update', principal, tx, before, data })
      }
      if (!auth.mayContent(principal, inverse.target.name, 'update')) auth.refuse(principal)
      const ownerType = typeOf(inverse.target.name)
      const owner = await openTarget(ownerType, targetId, principal, tx)
      const data = relinked(ownerType.model, owner, inverse.owner.name, change, request.id)
      await run(ownerType, { operation: 'update', principal, tx, before: owner, data })
      return shownEntry(type.model, before)
    })
  }

  async function openTarget(
    type: Compiled,
    id: number,
    principal: Principal,
    tx: Transaction,
  ): Promise<Entry> {
    const entry = await type.store.load(id, tx)
    if (entry !== undefined && maySee(type.model, entry, principal)) return entry
    const message = `there is no ${type.model.type.name} with id ${id}`
    throw AppError.invalid([{ path: 'id', code: 'reference', message }])
  }

  return {
    create,
    update: (request, data) => onEntry('update', request, data),
    delete: (request) => onEntry('delete', request),
    restore,
    publish: (request, publishedAt) =>
      onDraft('publish', request, publishedAt === undefined ? {} : { publishedAt }),
    unpublish: (request) => onDraft('unpublish', request, {}),
    putSingle,
    deleteSingle,
    updateMany: (request, ids, data) => onMany('update', request, ids, data),
    deleteMany: (request, ids) => onMany('delete', request, ids),
    link: (request, field, targetId) => relink(request, field, targetId, 'link'),
    unlink: (request, field, targetId) => relink(request, field, targetId, 'unlink'),
  }
}

type LinkChange = 'link' | 'unlink'

/** Types without `timestamps` keep theirs to themselves. */
function shownEntry(model: EntryModel, entry: Entry): Entry {
  if (model.type.options.timestamps) return entry
  const { created_at: _created, updated_at: _updated, ...shown } = entry
  return shown
}

function requireDrafts({ type }: EntryModel): void {
  if (type.options.draftAndPublish) return
  const message = `${type.name} has no drafts; set options.draftAndPublish in its schema to publish entries`
  throw AppError.invalid([{ path: 'type', code: 'unsupported', message }])
}

/** The payload that links or unlinks; linking twice leaves one link. */
function relinked(model: EntryModel, before: Entry, field: string, change: LinkChange, targetId: number) {
  const attribute = model.type.attributes.get(field)
  const isRelation = attribute?.type === 'relation' || attribute?.type === 'media'
  if (!isRelation) throw AppError.notFound(`relation ${field} of ${model.type.name}`)
  if (model.columns.has(field)) {
    const isLinked = before[field] === targetId
    if (change === 'link') return { [field]: targetId }
    return isLinked ? { [field]: null } : {}
  }
  const ids = before[field] as readonly number[]
  const isLinked = ids.includes(targetId)
  if (change === 'link') return isLinked ? {} : { [field]: [...ids, targetId] }
  return isLinked ? { [field]: ids.filter((id) => id !== targetId) } : {}
}
