import type {
  Conversions,
  Database,
  Queries,
  Recipient,
  Values,
} from '../../../foundation/database/database.ts'
import type { Principal } from '../../../foundation/http/http.ts'
import type { Schemas } from '../../../foundation/schemas/schemas.ts'
import type { AnswerBudget } from '../answer-budget.ts'
import type { DraftsOf } from '../drafts/draft-overlay.ts'
import type { EntryChangeListener } from '../entry/entry-changes.ts'
import type { MetaOf } from '../entry/entry-meta.ts'
import type { EntryModel } from '../entry/entry-model.ts'
import type { ReadStages } from './read-stages.ts'

/** The dependencies for building statements over entries. */
export interface ReadDeps {
  readonly database: Database
  readonly conversions: Conversions
  readonly models: ReadonlyMap<string, EntryModel>
  readonly schemas: Schemas
  readonly draftsOf: DraftsOf
  readonly metaOf: MetaOf
  readonly readStages: ReadStages
  /** Calls all listeners of `entryChanges`. */
  readonly changed: EntryChangeListener
}

/** The connection and time of one read. */
export interface Reading {
  readonly queries: Queries
  readonly values: Values
  /** ISO 8601. */
  readonly now: string
  readonly principal: Principal
  readonly budget: AnswerBudget
  readonly recipient: Recipient | undefined
}
