import { isObject } from '../../../../kernel/index.ts'
import { AppError, type ErrorDetail } from '../../../foundation/http/http.ts'
import type { ContentType, Schemas } from '../../../foundation/schemas/schemas.ts'
import { draftMark } from '../drafts/draft-overlay.ts'
import { metaField } from '../entry/entry-meta.ts'
import { compileFields, componentFieldSets } from './compile-field.ts'
import { isEmpty, type LookUp } from './condition.ts'
import { type FieldSet, type Gathered, gather, reportUnknown, type Source, valueIn } from './field-set.ts'
import { type PayloadReference, PayloadReport, waivedInDrafts } from './report.ts'

export type { PayloadReference } from './report.ts'

/** The result of checking a payload. */
export interface CheckedPayload {
  /** Problems with its shape. If there are any, the rest is incomplete and must not be written. */
  readonly problems: readonly ErrorDetail[]
  /**
   * Application values (core-plugins/foundation/database/database.ts) by column, for every field that has a column;
   * components and zones as JSON values. A new entry has all its columns here, with null for missing values
   * (an empty array for repeatable components and zones); a change has only those that were sent.
   */
  readonly columns: Readonly<Record<string, unknown>>
  /**
   * Ids by attribute, in the order given and without duplicates: owning to-many relations and media with
   * `multiple`. Only those that were sent; an empty array clears the field.
   */
  readonly links: ReadonlyMap<string, readonly number[]>
  /**
   * Every id that must exist, by type name, including those in components and zones. An id may occur twice.
   */
  readonly references: ReadonlyMap<string, readonly PayloadReference[]>
}

/**
 * Checks payloads of one type and returns all problems; throws early if the body is not an object or has too
 * many.
 */
export interface PayloadChecker {
  /**
   * Checks a complete new entry: fills in defaults and enforces `required`.
   * @param now the time of the write, ISO 8601, for defaults
   * @param inherited stored values by attribute, used unchecked for attributes that are not sent
   * @throws AppError 400
   */
  forCreate(body: unknown, now: string, inherited?: Source): CheckedPayload
  /**
   * Checks a change: only attributes that are sent are checked and returned.
   * @param current the entry before the change, by attribute; read only if a condition depends on it
   * @throws AppError 400
   */
  forUpdate(body: unknown, current: Source, options?: UpdateOptions): CheckedPayload
  /**
   * What a complete stored entry lacks to be published; reports no other problems. A draft may lack required values if its type
   * allows that, or if it is older than the requirement.
   */
  lackingIn(entry: Source): readonly ErrorDetail[]
  /** Every problem of a complete stored entry, which may be older than its type's current schema. */
  problemsIn(entry: Source): readonly ErrorDetail[]
}

export interface UpdateOptions {
  /** Whether only a draft is changed, which may be incomplete if its type allows that. */
  readonly isDraft?: boolean
}

export interface PayloadOptions {
  /** Further members to ignore instead of refusing them. */
  readonly ignored?: readonly string[]
}

/** Ignored, so that clients can send back what they read. */
const systemFields = [
  'id',
  'created_at',
  'createdAt',
  'updated_at',
  'updatedAt',
  'published_at',
  'publishedAt',
  'deleted_at',
  'deletedAt',
  'version',
  'uuid',
  metaField,
]

const noLinks: ReadonlyMap<string, readonly number[]> = new Map()

/** Compiles the checks of one type, once. @throws Error if the type uses a component that is not declared */
export function compilePayload(
  type: ContentType,
  schemas: Schemas,
  options: PayloadOptions = {},
): PayloadChecker {
  const fields = compileFields(type.attributes.values(), 'entry', componentFieldSets(schemas))
  const set: FieldSet = { owner: type.name, fields }
  const marks = type.options.draftOverlay ? [draftMark] : []
  const ignored = new Set([...systemFields, ...marks, ...(options.ignored ?? [])])
  const reportUncovered = compileUncoveredRule(set)
  const waived = type.options.incompleteDrafts ? waivedInDrafts : undefined
  const problemsIn = (entry: Source) => {
    const report = new PayloadReport()
    const gathered = gather(set, entry, report, { absence: 'filled', values: {} })
    gathered.reportMissing(report, (name) => valueIn(entry, name))
    return report.problems
  }

  return {
    forCreate(body, now, inherited) {
      const report = new PayloadReport({ now, waived })
      const source = openBody(body, set, report, ignored)
      const gathered = gather(set, source, report, { absence: 'filled', values: {}, inherited })
      gathered.reportMissing(report, (name) => gathered.valueIn(fields.get(name)))
      return finish(gathered, report)
    },
    forUpdate(body, current, { isDraft = false } = {}) {
      const report = new PayloadReport({ waived: isDraft ? waived : undefined })
      const source = openBody(body, set, report, ignored)
      const gathered = gather(set, source, report, { absence: 'unchanged', values: {} })
      const lookUp = (name: string) =>
        valueIn(source, name) === undefined ? valueIn(current, name) : gathered.valueIn(fields.get(name))
      gathered.reportMissing(report, lookUp)
      reportUncovered(source, report, lookUp)
      return finish(gathered, report)
    },
    lackingIn: (entry) => problemsIn(entry).filter(({ code }) => waivedInDrafts.has(code)),
    problemsIn,
  }
}

function openBody(body: unknown, set: FieldSet, report: PayloadReport, ignored: ReadonlySet<string>): Source {
  if (!isObject(body)) {
    throw AppError.invalid([{ path: 'body', code: 'type', message: 'must be a JSON object' }])
  }
  reportUnknown(set, body, report, ignored)
  return body
}

function finish({ values, links }: Gathered, report: PayloadReport): CheckedPayload {
  const { problems, references } = report
  return { problems, columns: values, links: links ?? noLinks, references }
}

/**
 * A change can make a required field visible that has no value yet: not by sending the field itself, but by
 * changing the one that its condition depends on.
 */
function compileUncoveredRule({ fields }: FieldSet) {
  const conditional = [...fields.values()].filter(
    (field) => field.required && field.conditionField !== undefined,
  )
  return (source: Source, report: PayloadReport, lookUp: LookUp) => {
    for (const field of conditional) {
      if (valueIn(source, field.name) !== undefined) continue
      if (valueIn(source, field.conditionField ?? '') === undefined) continue
      if (isEmpty(lookUp(field.name)) && field.isVisible(lookUp)) {
        report.problemAt(field.name, 'required', 'is required')
      }
    }
  }
}
