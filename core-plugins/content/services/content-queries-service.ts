import { type ServiceToken, service } from '../../../kernel/index.ts'
import type { AnswerBudget } from '../answer-budget.ts'
import type { EntryField, EntrySelection, SelectionRequest } from './entry-selection.ts'

/** What entries can be queried by, for plugins that build their own queries and statements. */
export interface ContentQueries {
  /**
   * Names of the fields that entries of a type show, including inverse sides of relations; also for system
   * types.
   */
  fieldNames(type: string): readonly string[]
  /**
   * A field that callers may name, by its name or an alias (`createdAt`); undefined if there is none.
   * @throws AppError 404 for an unknown type
   */
  field(type: string, name: string): EntryField | undefined
  /**
   * Whether the type keeps pending drafts, so that its entries can be read with `draft` and show `has_draft`.
   */
  keepsDrafts(type: string): boolean
  /**
   * The entries that a list would contain, for statements of another plugin; excludes what the caller may not
   * see. Read middleware is not applied, because it works on entries.
   * @throws AppError 400 with all problems of the query, 403, 404
   */
  select(request: SelectionRequest): EntrySelection
  /** Limits of one answer under the current settings. */
  answerBudget(): AnswerBudget
  /** Drops all cached query plans, because the meaning of a plugin's parameters has changed. */
  forgetQueries(): void
}

export const contentQueriesService: ServiceToken<ContentQueries> = service('contentQueries')
