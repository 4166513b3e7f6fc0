import { isObject } from '../../../../kernel/index.ts'
import {
  type ComponentAttribute,
  type DynamicZoneAttribute,
  depthRule,
  isStorable,
  maxDepth,
  storableRule,
} from '../../../foundation/schemas/schemas.ts'
import { type FieldSet, gather, reportUnknown, type Source, valueIn } from './field-set.ts'
import type { FieldCheck, PayloadReport } from './report.ts'

/** The fields of a component by its uid. */
export type FieldSetOf = (uid: string) => FieldSet

const ignoredInItem: ReadonlySet<string> = new Set(['id'])
const ignoredInBlock: ReadonlySet<string> = new Set(['id', '__component'])

/** Maximum characters of the `id` that a client may give to a component or block. */
const maxIdLength = 255

/** Compiles the check of `component`: one object, or an array of `min` to `max` objects. */
export function compileComponent(attribute: ComponentAttribute, fieldSetOf: FieldSetOf): FieldCheck {
  const set = fieldSetOf(attribute.component)
  const checkOne: FieldCheck = (value, report) => {
    if (!isObject(value)) return report.problem('type', 'must be an object')
    if (!isWithinDepth(report)) return undefined
    return checkItem(set, value, report, { ignored: ignoredInItem, values: {} })
  }
  return attribute.repeatable ? compileRepeatable(attribute, checkOne) : checkOne
}

function compileRepeatable(
  { min = 0, max = Infinity }: ComponentAttribute,
  checkOne: FieldCheck,
): FieldCheck {
  return (value, report) => {
    const count = Array.isArray(value) ? value.length : min
    if (count < min) report.problem('min', `must have at least ${min} items`)
    if (count > max) report.problem('max', `must have at most ${max} items`)
    return checkItems(value, checkOne, report)
  }
}

/** Compiles the check of `dynamicZone`: an array of objects, each of the component it names. */
export function compileZone(attribute: DynamicZoneAttribute, fieldSetOf: FieldSetOf): FieldCheck {
  const sets: ReadonlyMap<unknown, FieldSet> = new Map(
    attribute.components.map((uid) => [uid, fieldSetOf(uid)]),
  )
  const unknownComponent = `must be one of ${attribute.components.join(', ')}`

  const checkBlock: FieldCheck = (value, report) => {
    if (!isObject(value)) return report.problem('type', 'must be an object')
    if (!isWithinDepth(report)) return undefined
    const uid = valueIn(value, '__component')
    const set = sets.get(uid)
    if (set === undefined) return report.problemAt('__component', 'component', unknownComponent)
    return checkItem(set, value, report, { ignored: ignoredInBlock, values: { __component: uid } })
  }
  return (value, report) => checkItems(value, checkBlock, report)
}

function checkItems(value: unknown, checkOne: FieldCheck, report: PayloadReport): unknown[] | undefined {
  if (!Array.isArray(value)) {
    report.problem('type', 'must be an array of objects')
    return undefined
  }
  return value.map((item, index) => {
    report.enter(index)
    const checked = checkOne(item, report)
    report.leave()
    return checked
  })
}

function checkItem(
  set: FieldSet,
  source: Source,
  report: PayloadReport,
  { ignored, values }: { ignored: ReadonlySet<string>; values: Record<string, unknown> },
): Record<string, unknown> {
  report.holdComponent(set.fields.size)
  reportUnknown(set, source, report, ignored)
  keepId(source, values, report)
  const gathered = gather(set, source, report, { absence: 'filled', values })
  gathered.reportMissing(report, (name) => gathered.valueIn(set.fields.get(name)))
  return values
}

/** An `id` is kept if the client sends one. */
function keepId(source: Source, values: Record<string, unknown>, report: PayloadReport): void {
  const id = valueIn(source, 'id') ?? undefined
  if (id === undefined) return
  const isId = typeof id === 'string' ? id.length <= maxIdLength : Number.isSafeInteger(id)
  if (!isId)
    report.problemAt('id', 'type', `must be a whole number, or a string of at most ${maxIdLength} characters`)
  else if (typeof id === 'string' && !isStorable(id)) report.problemAt('id', 'format', storableRule)
  else values.id = id
}

/** The schema does not limit depth, because components may contain themselves. */
function isWithinDepth(report: PayloadReport): boolean {
  if (report.depth < maxDepth) return true
  report.problem('depth', depthRule)
  return false
}
