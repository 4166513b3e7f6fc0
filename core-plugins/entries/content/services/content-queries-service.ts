import type { SQL } from 'drizzle-orm'
import type { TSchema } from 'typebox'
import { type ServiceToken, service } from '../../../../kernel/index.ts'
import type { Values } from '../../../foundation/database/database.ts'
import type { Principal } from '../../../foundation/http/http.ts'
import type { AnswerBudget } from '../answer-budget.ts'
import type { AddedField } from '../entry/added-fields.ts'
import type { PageLimits } from '../page-limits.ts'
import type { EntryField, EntrySelection, FieldInside, SelectionRequest } from './entry-selection.ts'

/** The entries of a type that a caller sees; none if the caller may not read the type. */
export interface VisibleEntries {
  /** Equal if and only if the SQL is equal. */
  readonly key: string
  /** Values to bind, in addition to the plugin's own, of which none may be called `now`. */
  readonly values: Values
  /** The condition on the entries in a table with this alias. */
  where(alias: string): SQL
}

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
   * A field inside of entries: `seo.title` in a component, `blocks.shared.quote.text` in a zone, `facts.size.height` in JSON,
   * `author.name` of what a relation refers to.
   * @throws AppError 404 for an unknown type
   */
  fieldInside(type: string, path: string): FieldInside
  /**
   * Whether the type keeps pending drafts, so that its entries can be read with `draft` and show `has_draft`.
   */
  keepsDrafts(type: string): boolean
  /** Whether reads of the type take a parameter that another plugin adds, such as `locale`. */
  takes(type: string, parameter: string): boolean
  /** The schemas of the parameters by which plugins restrict what reads of the type cover, by name. */
  addedParameters(type: string): Readonly<Record<string, TSchema>>
  /** The fields that entries of the type show from columns of plugins, beside their attributes. */
  addedFields(type: string): readonly AddedField[]
  /**
   * The entries that a list would contain, for statements of another plugin; excludes what the caller may not
   * see. Read middleware is not applied, because it works on entries.
   * @throws AppError 400 with all problems of the query; 401 or 403 without permission to read the type; 404
   */
  select(request: SelectionRequest): EntrySelection
  /**
   * Which entries of a type a caller sees, for statements of another plugin that find entries in other ways than
   * lists. `withTrash`: also those in the trash.
   */
  visible(type: string, principal: Principal, withTrash?: 'withTrash'): VisibleEntries
  /** How many entries a page of a list has: as the type says, or else the current settings. */
  pageLimits(type: string | undefined): PageLimits
  /** Limits of one answer under the current settings. */
  answerBudget(): AnswerBudget
  /** Drops all cached query plans, because the meaning of a plugin's parameters has changed. */
  forgetQueries(): void
}

/** Builds SQL that counts, filters and sorts as lists do, for plugins with statements of their own. */
export const contentQueriesService: ServiceToken<ContentQueries> = service('contentQueries')
