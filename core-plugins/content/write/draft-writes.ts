import { AppError, type Principal } from '../../http/http.ts'
import type { Entry, WriteContext } from '../content.ts'
import { withDraft } from '../draft-overlay.ts'
import type { CheckedPayload } from '../payload/payload.ts'
import { nextUpdatedAt } from '../version.ts'
import { beforeOf, type OperationScope, type WritableType } from './operations.ts'
import { namedValues } from './stored-change.ts'

/** What writes do with the draft beside an entry. */
export interface DraftWrites {
  /** Adds a checked change to the draft; answers the entry with the draft in it. @throws AppError 400 */
  save(context: WriteContext, change: CheckedPayload): Promise<Entry>
  /** @throws AppError 404 where there is none */
  discard(context: WriteContext): Promise<Entry>
  /** What the draft changes, judged anew: much may have happened since it was saved. @throws AppError 400 */
  changeOf(context: WriteContext): Promise<CheckedPayload>
}

/** Whoever saved a draft was allowed to point at what it points at. */
const itself: Principal = { kind: 'token', id: 0, name: 'content', scopes: new Set(['admin:*']) }

const noChange: CheckedPayload = { problems: [], columns: {}, links: new Map(), references: new Map() }

export function createDraftWrites(
  { model, checker, drafts }: WritableType,
  { references }: Pick<OperationScope, 'references'>,
): DraftWrites {
  return {
    async save(context, change) {
      const { row, tx, principal, now } = context
      if (drafts === undefined || row === undefined) throw new Error(`${model.type.name} keeps no drafts`)
      // No foreign key looks at a draft.
      await references.checkAll(change, { principal, queries: tx })
      const draft = {
        values: { ...context.draft?.values, ...namedValues(model, change) },
        updatedAt: nextUpdatedAt(now, beforeOf(context)),
      }
      await drafts.save(model.type, row.id, draft, tx)
      context.event = 'draft'
      context.draft = draft
      return withDraft(model, row, draft)
    },
    async discard(context) {
      const { row, tx } = context
      if (row === undefined || context.draft === undefined) {
        throw AppError.notFound(`draft of ${model.type.name} ${row?.id}`)
      }
      await drafts?.remove(model.type, [row.id], tx)
      context.event = 'draft'
      context.draft = undefined
      return row
    },
    async changeOf(context) {
      if (context.draft === undefined) return noChange
      const change = checker.forUpdate(context.draft.values, beforeOf(context))
      await references.check(change, { model, principal: itself, queries: context.tx })
      return change
    },
  }
}
