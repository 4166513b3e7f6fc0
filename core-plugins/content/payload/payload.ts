import { AppError, type ErrorDetail } from '../../http/http.ts'
import type { ContentType, Schemas } from '../../schemas/schemas.ts'
import { draftMark } from '../draft-overlay.ts'
import { compileFields, componentFieldSets } from './compile-field.ts'
import { isEmpty, type LookUp } from './condition.ts'
import {
  type FieldSet,
  type Gathered,
  gather,
  isObject,
  refuseUnknown,
  type Source,
  valueIn,
} from './field-set.ts'
import { type PayloadReference, PayloadReport } from './report.ts'

export type { PayloadReference } from './report.ts'

/** What a payload comes to. */
export interface CheckedPayload {
  /** What is wrong with its shape. Unless this is empty, there is nothing to be written, and the rest is incomplete. */
  readonly problems: readonly ErrorDetail[]
  /**
   * Application values (core-plugins/database/database.ts) by column, of everything that has a column;
   * components and zones as JSON values. A new entry has all of its columns here, with null where there is
   * no value (an empty array for repeatable components and zones); a change only those that were sent.
   */
  readonly columns: Readonly<Record<string, unknown>>
  /**
   * Ids in the order given, without doubles, by attribute: owning to-many relations and media with
   * `multiple`. Only of those that were sent; an empty array clears.
   */
  readonly links: ReadonlyMap<string, readonly number[]>
  /** Every id that must exist, by the name of its type, in components and zones too. An id may come twice. */
  readonly references: ReadonlyMap<string, readonly PayloadReference[]>
}

/** Checks payloads of one type. Answers all problems; with more than can be told, or none to look at, throws at once. */
export interface PayloadChecker {
  /**
   * Checks a whole new entry: fills in defaults and sees to `required`.
   * @param now the moment of the write, ISO 8601, for defaults
   * @param inherited stored values by attribute that stand in, unjudged, for what is not sent
   * @throws AppError 400
   */
  forCreate(body: unknown, now: string, inherited?: Source): CheckedPayload
  /**
   * Checks a change: only what is sent is checked and answered.
   * @param current the entry as it is, by attribute; asked only where a condition depends on it
   * @throws AppError 400
   */
  forUpdate(body: unknown, current: Source): CheckedPayload
}

export interface PayloadOptions {
  /** Further members that are ignored instead of refused. */
  readonly ignored?: readonly string[]
}

/** decisions.md, 2: ignored, so that what was read can be sent back. */
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
]

const noLinks: ReadonlyMap<string, readonly number[]> = new Map()

/** Compiles the checks of one type; do it once. @throws Error if the type names a component that is not declared */
export function compilePayload(
  type: ContentType,
  schemas: Schemas,
  options: PayloadOptions = {},
): PayloadChecker {
  const fields = compileFields(type.attributes.values(), 'entry', componentFieldSets(schemas))
  const set: FieldSet = { owner: type.name, fields }
  const marks = type.options.draftOverlay ? [draftMark] : []
  const ignored = new Set([...systemFields, ...marks, ...(options.ignored ?? [])])
  const refuseUncovered = compileUncoveredRule(set)

  return {
    forCreate(body, now, inherited) {
      const report = new PayloadReport(now)
      const source = openBody(body, set, report, ignored)
      const gathered = gather(set, source, report, { absence: 'filled', values: {}, inherited })
      gathered.refuseMissing(report, (name) => gathered.valueIn(fields.get(name)))
      return finish(gathered, report)
    },
    forUpdate(body, current) {
      const report = new PayloadReport()
      const source = openBody(body, set, report, ignored)
      const gathered = gather(set, source, report, { absence: 'unchanged', values: {} })
      const lookUp = (name: string) =>
        valueIn(source, name) === undefined ? valueIn(current, name) : gathered.valueIn(fields.get(name))
      gathered.refuseMissing(report, lookUp)
      refuseUncovered(source, report, lookUp)
      return finish(gathered, report)
    },
  }
}

function openBody(body: unknown, set: FieldSet, report: PayloadReport, ignored: ReadonlySet<string>): Source {
  if (!isObject(body)) {
    throw AppError.invalid([{ path: 'body', code: 'type', message: 'must be a JSON object' }])
  }
  refuseUnknown(set, body, report, ignored)
  return body
}

function finish({ values, links }: Gathered, report: PayloadReport): CheckedPayload {
  const { problems, references } = report
  return { problems, columns: values, links: links ?? noLinks, references }
}

/**
 * A change can bring a required field into view that has no value yet: the field itself was not sent,
 * but the one that its condition asks about was.
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
