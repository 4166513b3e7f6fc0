import type { Pipeline, PluginContext } from '../../../../kernel/index.ts'
import type { Auth } from '../../../accounts/auth/auth.ts'
import type { UniqueWaits } from '../../../foundation/database/database.ts'
import type { WriteOperation } from '../content-target.ts'
import type { PendingDrafts } from '../drafts/pending-drafts.ts'
import type { Entry } from '../entry/entry.ts'
import type { EntryModel } from '../entry/entry-model.ts'
import type { PayloadChecker } from '../payload/payload.ts'
import type { ReadDeps } from '../read/read-deps.ts'
import type { SingleIds } from '../read/single-ids.ts'
import type { WriteContext } from '../write-context.ts'
import type { EntryStore } from './entry-store.ts'
import type { HiddenLinks } from './hidden-links/hidden-links.ts'
import type { ReferenceChecker } from './references.ts'
import type { ExplainRefusal } from './refusals.ts'
import type { Referrers, Removals } from './removal.ts'
import type { SingleClaims } from './single-claims.ts'
import type { WriteAnswers } from './write-answers.ts'

/** The dependencies of every operation. */
export interface WriteDeps extends ReadDeps {
  readonly auth: Auth
  readonly uniqueWaits: UniqueWaits
  readonly emit: PluginContext['emit']
  readonly singles: SingleIds
  readonly references: ReferenceChecker
  readonly hiddenLinks: HiddenLinks
  readonly claims: SingleClaims
  readonly removals: Removals
  readonly answers: WriteAnswers
  readonly explainRefusal: ExplainRefusal
  /** The type with a singular name, prepared at its first write. @throws AppError 404 */
  typeNamed(name: string): WritableType
}

/** Everything that the writes of one type need. */
export interface WritableType {
  readonly model: EntryModel
  readonly store: EntryStore
  readonly checker: PayloadChecker
  readonly referrers: Referrers
  /** The store of the type's pending drafts; undefined if it keeps none. */
  readonly drafts: PendingDrafts | undefined
  /** The middleware of each operation, around the operation itself. */
  readonly pipelines: Readonly<Record<WriteOperation, Pipeline<WriteContext, Entry>>>
}
