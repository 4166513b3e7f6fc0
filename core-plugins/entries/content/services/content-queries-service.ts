import type { SQL } from 'drizzle-orm'
import type { TSchema } from 'typebox'
import { type ServiceToken, service } from '../../../../kernel/index.ts'
import type { Values } from '../../../foundation/database/database.ts'
import type { Principal } from '../../../foundation/http/http.ts'
import type { AnswerBudget } from '../answer-budget.ts'
import type { AddedField } from '../entry/added-fields.ts'
import type { PageLimits } from '../page-limits.ts'
import type { EntryField, EntrySelection, FieldInside, SelectionRequest } from './entry-selection.ts'

/** The condition for a caller to see entries of a type; false for all entries if the caller may not read the type. */
export interface VisibleEntries {
  /** Equal if and only if the SQL is equal. */
  readonly key: string
  /** Values to bind in addition to the plugin's own; none of the plugin's values may be called `now`. */
  readonly values: Values
  /** The condition on the entries in a table with this alias. */
  where(alias: string): SQL
}

/** The fields and parameters that entries can be queried by, for plugins that build their own queries and statements. */
export interface ContentQueries {
  /**
   * Names of the fields that entries of a type show, including inverse sides of relations; also for system
   * types.
   */
  fieldNames(type: string): readonly string[]
  /**
   * A field that callers may name, by its name or an alias (`createdAt`); undefined if the type has no such field.
   * @throws AppError 404 for an unknown type
   */
  field(type: string, name: string): EntryField | undefined
  /**
   * A field inside entries: `seo.title` in a component, `blocks.shared.quote.text` in a zone, `facts.size.height` in JSON,
   * `author.name` in the entry that a relation refers to.
   * @throws AppError 404 for an unknown type
   */
  fieldInside(type: string, path: string): FieldInside
  /**
   * Whether the type keeps pending drafts, so that its entries can be read with `draft` and show `has_draft`.
   */
  keepsDrafts(type: string): boolean
  /** Whether reads of the type take a parameter that another plugin adds, such as `locale`. */
  takes(type: string, parameter: string): boolean
  /** The schemas, by name, of the parameters with which plugins restrict the entries that reads of the type cover. */
  addedParameters(type: string): Readonly<Record<string, TSchema>>
  /** The fields that entries of the type show from columns of plugins, in addition to their attributes. */
  addedFields(type: string): readonly AddedField[]
  /**
   * The entries that a list would contain, for statements of another plugin; excludes what the caller may not
   * see. Read middleware is not applied, because it works on entries.
   * @throws AppError 400 with all problems of the query; 401 or 403 without permission to read the type; 404
   */
  select(request: SelectionRequest): EntrySelection
  /**
   * The entries of a type that a caller may see, for statements of plugins that find entries in other ways than lists do.
   * `withTrash`: includes those in the trash.
   */
  visible(type: string, principal: Principal, withTrash?: 'withTrash'): VisibleEntries
  /** The page limits of a type; without a type, those of the current settings. */
  pageLimits(type: string | undefined): PageLimits
  /** Limits of one answer under the current settings. */
  answerBudget(): AnswerBudget
  /** Drops all cached query plans, because the meaning of a plugin's parameters has changed. */
  forgetQueries(): void
}

/** Builds SQL that counts, filters and sorts as lists do, for plugins with statements of their own. */
export const contentQueriesService: ServiceToken<ContentQueries> = service('contentQueries')
