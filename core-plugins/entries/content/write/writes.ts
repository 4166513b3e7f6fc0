import type { PluginContext } from '../../../../kernel/index.ts'
import type { Auth } from '../../../accounts/auth/auth.ts'
import type { SchemaRecord, UniqueWaits } from '../../../foundation/database/database.ts'
import { AppError } from '../../../foundation/http/http.ts'
import type { ReferenceCheck } from '../entry/entry-extensions.ts'
import type { ReadDeps } from '../read/read-deps.ts'
import type { SingleIds } from '../read/single-ids.ts'
import type { BulkWrites } from '../services/bulk-writes-service.ts'
import type { ContentWrites } from '../services/content-service.ts'
import type { StoredEntries } from '../services/stored-entries-service.ts'
import type { Trash } from '../services/trash-service.ts'
import { compileType, type WriteContributions } from './compile-type.ts'
import { HiddenLinks } from './hidden-links/hidden-links.ts'
import { checkCreate, checkUpdate } from './operations/check.ts'
import { createEntry } from './operations/create.ts'
import { deleteEntry } from './operations/delete.ts'
import { deleteEntries } from './operations/delete-many.ts'
import { discardDraft } from './operations/discard.ts'
import { changeLink } from './operations/link.ts'
import { changePublication, changePublications } from './operations/publish.ts'
import { emptyTrash, purgeEntry } from './operations/purge.ts'
import { repairEntries, repairEntry } from './operations/repair.ts'
import { restoreEntry } from './operations/restore.ts'
import { saveEntries } from './operations/save-many.ts'
import { deleteSingle, putSingle } from './operations/single.ts'
import { updateEntry } from './operations/update.ts'
import { updateEntries } from './operations/update-many.ts'
import { ReferenceChecker } from './references.ts'
import { createRefusals } from './refusals.ts'
import { createRemovals } from './removal.ts'
import { createSingleClaims } from './single-claims.ts'
import { createWriteAnswers } from './write-answers.ts'
import type { WritableType, WriteDeps } from './write-deps.ts'

export interface WriteParts extends ReadDeps {
  readonly auth: Auth
  readonly emit: PluginContext['emit']
  readonly singles: SingleIds
  readonly schemaRecord: SchemaRecord
  readonly uniqueWaits: UniqueWaits
  readonly checks: () => readonly ReferenceCheck[]
  /** Complete once all plugins have booted; called at the first write of each type. */
  readonly contributions: () => WriteContributions
}

export function createWriteDeps(parts: WriteParts): WriteDeps {
  const references = new ReferenceChecker(parts)
  const types = new Map<string, WritableType>()
  let { revision } = parts.conversions
  const deps: WriteDeps = {
    ...parts,
    references,
    hiddenLinks: new HiddenLinks(parts),
    claims: createSingleClaims(parts.database),
    removals: createRemovals(),
    answers: createWriteAnswers(parts),
    explainRefusal: createRefusals({ ...parts, references }),
    typeNamed(name) {
      // What columns hold is part of their statements.
      if (revision !== parts.conversions.revision) types.clear()
      revision = parts.conversions.revision
      const kept = types.get(name)
      if (kept !== undefined) return kept
      const model = parts.models.get(name)
      if (model === undefined || model.type.system) throw AppError.notFound(`content type ${name}`)
      const made = compileType(deps, model, parts.contributions())
      types.set(name, made)
      return made
    },
  }
  return deps
}

export function createContentWrites(deps: WriteDeps): ContentWrites {
  return {
    create: (request, data) => createEntry(deps, request, data),
    update: (request, data) => updateEntry(deps, request, data),
    delete: (request) => deleteEntry(deps, request),
    publish: (request, times = {}) =>
      changePublication(deps, 'publish', request, typeof times === 'string' ? { publishedAt: times } : times),
    unpublish: (request) => changePublication(deps, 'unpublish', request, {}),
    discard: (request) => discardDraft(deps, request),
    link: (request, field, targetId) => changeLink(deps, request, { change: 'link', field, targetId }),
    unlink: (request, field, targetId) => changeLink(deps, request, { change: 'unlink', field, targetId }),
    putSingle: (request, data) => putSingle(deps, request, data),
    deleteSingle: (request) => deleteSingle(deps, request),
    checkCreate: (request, data) => checkCreate(deps, request, data),
    checkUpdate: (request, data, isPublishing) => checkUpdate(deps, request, { data, isPublishing }),
  }
}

export function createBulkWrites(deps: WriteDeps): BulkWrites {
  return {
    updateMany: (request, ids, data) => updateEntries(deps, request, ids, data),
    deleteMany: (request, ids) => deleteEntries(deps, request, ids),
    publishMany: (request, ids) => changePublications(deps, 'publish', request, ids),
    unpublishMany: (request, ids) => changePublications(deps, 'unpublish', request, ids),
    saveMany: (request, entries, options) => saveEntries(deps, request, entries, options),
  }
}

export function createTrash(deps: WriteDeps): Trash {
  return {
    restore: (request) => restoreEntry(deps, request),
    purge: (request) => purgeEntry(deps, request),
    emptyTrash: (request, until) => emptyTrash(deps, request, until),
  }
}

/** The write part of `StoredEntries`. */
export function createStoredWrites(
  deps: WriteDeps,
): Pick<StoredEntries, 'lock' | 'read' | 'repair' | 'repairMany'> {
  return {
    lock: ({ type, tx }, ids) => deps.typeNamed(type).store.loadMany(ids, tx),
    read: (type, ids, on) => deps.typeNamed(type).store.readMany(ids, on),
    repair: (request, change) => repairEntry(deps, request, change),
    repairMany: (request, ids, change) => repairEntries(deps, request, ids, change),
  }
}
