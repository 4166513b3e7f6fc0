import type { Entry } from '../entry/entry.ts'
import type { WriteContext } from '../write-context.ts'
import { insertEntry } from './operations/create.ts'
import { removeEntry } from './operations/delete.ts'
import { removeDraft } from './operations/discard.ts'
import { publishEntry, unpublishEntry } from './operations/publish.ts'
import { takeFromTrash } from './operations/restore.ts'
import { changeEntry } from './operations/update.ts'
import type { WritableType, WriteDeps } from './write-deps.ts'

/** The core of the write pipeline, behind all middleware. */
export async function performOperation(
  deps: WriteDeps,
  type: WritableType,
  context: WriteContext,
): Promise<Entry> {
  switch (context.operation) {
    case 'create':
      return insertEntry(deps, type, context)
    case 'delete':
      return removeEntry(deps, type, context)
    case 'update':
      return changeEntry(deps, type, context)
    case 'publish':
      return publishEntry(deps, type, context)
    case 'unpublish':
      return unpublishEntry(type, context)
    case 'restore':
      return takeFromTrash(deps, type, context)
    case 'discard':
      return removeDraft(deps, type, context)
  }
}
