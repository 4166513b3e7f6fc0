import { Type } from 'typebox'
import type { Transaction } from '../../../foundation/database/database.ts'
import { AppError, idSchema, type Principal } from '../../../foundation/http/http.ts'
import { type ContentType, isReference, targetNameOf } from '../../../foundation/schemas/schemas.ts'
import type { Entry } from '../entry/entry.ts'
import type { EntryModel, InverseField } from '../entry/entry-model.ts'
import { writtenReply } from '../entry/version.ts'
import { latestOf, maySee, openEntry, withItsDraft } from '../write/stored-entries.ts'
import type { WritableType, WriteDeps } from '../write/write-deps.ts'
import { answerWritten, inTransaction, shownEntry } from '../write/write-path.ts'
import { WriteAnnotations } from '../write-annotation.ts'
import type { StoredEntry } from '../write-context.ts'
import type { EntryWriteRequest } from '../write-request.ts'
import { defineOperation, type Operation, type OperationRoute } from './operation.ts'
import { entryWrite, fieldParams, strict } from './route-requests.ts'
import { linkedId, updateStored } from './update.ts'

/** What to link or unlink, and through which field. */
interface Link {
  readonly change: 'link' | 'unlink'
  readonly field: string
  readonly targetId: number
}

/** See `ContentWrites.link`. */
export const link = defineLinkOperation('link', {
  summary: 'Link an existing entry to a relation',
  document: (type) => ({ summary: `Link an entry to a relation of ${type.displayName}` }),
  method: 'POST',
  description: 'Lets a relation lead to one more entry, or to another one',
})

/** See `ContentWrites.unlink`. */
export const unlink = defineLinkOperation('unlink', {
  summary: 'Unlink an entry from a relation',
  document: (type) => ({ summary: `Unlink an entry from a relation of ${type.displayName}` }),
  method: 'DELETE',
  description: 'Takes an entry out of a relation',
})

interface LinkWords extends Pick<OperationRoute, 'method' | 'summary' | 'document'> {
  /** Description of the mutation. */
  readonly description: string
}

function defineLinkOperation(
  change: Link['change'],
  { description, ...words }: LinkWords,
): Operation<EntryWriteRequest, [field: string, targetId: number], Entry> {
  return defineOperation({
    service: 'content',
    right: 'update',
    of: hasRelations,
    run: (deps, request: EntryWriteRequest, field: string, targetId: number) =>
      changeLink(deps, request, { change, field, targetId }),
    route: {
      ...words,
      name: `entries.${change}`,
      path: `/:id/${change}/:field`,
      params: fieldParams,
      body: Type.Object({ id: idSchema }, strict),
      takesIfMatch: true,
      handler: async (request, run) =>
        writtenReply(await run(entryWrite(request), request.params.field, request.body.id)),
    },
    mutation: {
      name: (object) => `${change}${object}`,
      description,
      arguments: ({ relations }) => relations && `id: ID!, field: ${relations}!, to: ID!`,
      answer: 'entry',
      resolve: ({ id, field, to }, write, run) =>
        run({ ...write, id: Number(id) }, String(field), Number(to)),
    },
  })
}

function hasRelations({ attributes }: ContentType): boolean {
  return [...attributes.values()].some(({ type }) => type === 'relation' || type === 'media')
}

/** A link from the inverse side changes the entry on the owning side. */
function changeLink(deps: WriteDeps, request: EntryWriteRequest, link: Link): Promise<Entry> {
  const type = deps.typeNamed(request.type)
  return inTransaction(deps, request, async (tx) => {
    const stored = await openEntry(deps, type, request, tx)
    assertReadableTarget(deps, type.model, link.field, request.principal)
    const inverse = type.model.inverses.get(link.field)
    if (inverse === undefined) {
      const before = await shownLinks(deps, type, request, { stored, link, tx })
      return updateLink(deps, type, request, { stored, link, tx, before })
    }
    await changeOwner(deps, inverse, request, { link, tx })
    const entry = shownEntry(type.model, stored.row)
    return answerWritten(deps, type, { entry, draft: stored.draft }, { principal: request.principal, tx })
  })
}

interface LinkChange {
  readonly stored: StoredEntry
  readonly link: Link
  readonly tx: Transaction
}

/**
 * The entry before the change, without the link to the target if the target is hidden from the caller, who must not learn whether
 * the link exists. Administrators may remove links to entries in the trash.
 */
async function shownLinks(
  { references, auth }: WriteDeps,
  type: WritableType,
  { principal }: EntryWriteRequest,
  { stored, link: { field, targetId }, tx }: LinkChange,
): Promise<Entry> {
  const before = latestOf(type, stored)
  const attribute = type.model.type.attributes.get(field)
  const value = before[field]
  const isLinked = Array.isArray(value) ? value.includes(targetId) : value === targetId
  if (!isLinked || !isReference(attribute)) return before
  const check = { principal, queries: tx, isTrashSeen: auth.isAdministrator(principal) }
  if (await references.sees(targetNameOf(attribute), targetId, check)) return before
  return { ...before, [field]: Array.isArray(value) ? value.filter((id) => id !== targetId) : null }
}

function updateLink(
  deps: WriteDeps,
  type: WritableType,
  request: EntryWriteRequest,
  { stored, link, tx, before = latestOf(type, stored) }: LinkChange & { readonly before?: Entry },
): Promise<Entry> {
  const data = relinked(type.model, before, link)
  const annotations = (request.annotations ?? WriteAnnotations.none).with(linkedId, link.targetId)
  return updateStored(deps, type, { ...request, annotations, tx }, stored, data)
}

async function changeOwner(
  deps: WriteDeps,
  { target, owner: { name: field } }: InverseField,
  request: EntryWriteRequest,
  { link, tx }: { readonly link: Link; readonly tx: Transaction },
): Promise<void> {
  const { principal, id } = request
  if (!deps.auth.mayContent(principal, target.name, 'update')) deps.auth.refuse(principal)
  const ownerType = deps.typeNamed(target.name)
  const stored = await openTarget(deps, ownerType, link.targetId, principal, tx)
  await updateLink(deps, ownerType, request, { stored, link: { ...link, field, targetId: id }, tx })
}

/** The answer reveals whether the entries were already linked. @throws AppError 401, 403 */
function assertReadableTarget(
  { models, auth }: WriteDeps,
  { type }: EntryModel,
  field: string,
  principal: Principal,
): void {
  const attribute = type.attributes.get(field)
  const target = isReference(attribute) ? models.get(targetNameOf(attribute)) : undefined
  if (target === undefined || target.type.system) return
  if (!auth.mayContent(principal, target.type.name, 'read')) auth.refuse(principal)
}

async function openTarget(
  deps: WriteDeps,
  type: WritableType,
  id: number,
  principal: Principal,
  tx: Transaction,
): Promise<StoredEntry> {
  const row = await type.store.load(id, tx)
  if (row !== undefined && maySee(deps, type, row, principal)) return withItsDraft(type, row, tx)
  const message = `there is no ${type.model.type.name} with id ${id}`
  throw AppError.invalid([{ path: 'id', code: 'reference', message }])
}

/** The payload that links or unlinks; linking twice stores one link. */
function relinked(model: EntryModel, before: Entry, { field, change, targetId }: Link) {
  const attribute = model.type.attributes.get(field)
  if (!isReference(attribute)) throw AppError.notFound(`relation ${field} of ${model.type.name}`)
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
