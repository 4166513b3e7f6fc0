import type { Transaction } from '../../../foundation/database/database.ts'
import { withDraft } from '../drafts/draft-overlay.ts'
import { WriteAnnotations } from '../write-annotation.ts'
import type { ChangeContext, CreateContext, DeleteContext, StoredEntry } from '../write-context.ts'
import type { WriteRequest } from '../write-request.ts'
import type { WritableType } from './write-deps.ts'

/** The caller, transaction and time of a write. */
export type Write = Pick<WriteRequest, 'principal' | 'ip' | 'annotations'> & {
  readonly tx: Transaction
  /** ISO 8601; default: the current time. */
  readonly now?: string
}

export function createContext({ model }: WritableType, write: Write, data: unknown): CreateContext {
  return {
    type: model.type,
    operation: 'create',
    ...common(write, data, undefined),
    before: undefined,
    stored: undefined,
    isDraftWrite: false,
  }
}

/** A change to the entry itself or, with `isDraftWrite`, to its draft. */
export function changeContext(
  { model }: WritableType,
  operation: ChangeContext['operation'],
  write: Write,
  stored: StoredEntry,
  { data, isDraftWrite = false }: { readonly data?: unknown; readonly isDraftWrite?: boolean } = {},
): ChangeContext {
  return {
    type: model.type,
    operation,
    ...common(write, data, stored),
    before: isDraftWrite ? withDraft(model, stored.row, stored.draft) : stored.row,
    stored,
    isDraftWrite,
  }
}

/** By default, moves the entry to the trash if its type has one. */
export function deleteContext(
  { model: { type } }: WritableType,
  write: Write,
  stored: StoredEntry,
  { isForGood = !type.options.softDelete, isInTrash = false } = {},
): DeleteContext {
  return {
    type,
    operation: 'delete',
    ...common(write, undefined, stored),
    before: stored.row,
    stored,
    isDraftWrite: false,
    removal: { isForGood, isInTrash },
  }
}

function common(write: Write, data: unknown, stored: StoredEntry | undefined) {
  const { principal, ip, tx, now = new Date().toISOString(), annotations = WriteAnnotations.none } = write
  return {
    ...{ principal, ip, tx, now, annotations },
    data: data as CreateContext['data'],
    additions: { columns: {}, inherited: {}, isSingleClaimed: true, problems: [] },
    outcome: { event: undefined, draft: stored?.draft },
  }
}
