import { isEmpty, type LookUp } from './condition.ts'
import type { FieldCheck, PayloadReport } from './report.ts'

/** An attribute of a type or component with its compiled checks. */
export interface Field {
  readonly name: string
  /** The key of the checked value. */
  readonly key: string
  /**
   * Where the value is stored: in the values of the row or component, in the links of the entry, or nowhere (an inverse side).
   */
  readonly place: 'value' | 'link' | 'nowhere'
  readonly required: boolean
  /** Whether null means an empty array. */
  readonly isList: boolean
  readonly check: FieldCheck
  /** The default; undefined if the schema declares none. */
  defaultOf(report: PayloadReport): unknown
  /** Whether its `condition`, if any, is met. */
  isVisible(lookUp: LookUp): boolean
  /** The field that its `condition` depends on. */
  readonly conditionField: string | undefined
}

/** The attributes of a type or component. */
export interface FieldSet {
  /** For messages: `article`, `component shared.seo`. */
  readonly owner: string
  readonly fields: ReadonlyMap<string, Field>
}

/**
 * How fields that were not sent are treated: in new entries and components they get their default or null; in
 * a change they keep their value.
 */
export type Absence = 'filled' | 'unchanged'

/** An object in the payload. */
export type Source = Readonly<Record<string, unknown>>

/** Checked values of one object, by the keys of their fields. */
export class Gathered {
  readonly values: Record<string, unknown>
  links: Map<string, readonly number[]> | undefined
  /** Required fields that are null or empty; whether that is a problem depends on their conditions. */
  #missing: Field[] | undefined

  constructor(values: Record<string, unknown>) {
    this.values = values
  }

  /** Checks and keeps the value of a field that was sent. */
  take(field: Field, sent: unknown, report: PayloadReport): void {
    if (field.required && isEmpty(sent)) this.#miss(field)
    if (sent === null && field.place !== 'nowhere') {
      this.#keepNothing(field)
      return
    }
    report.enter(field.name)
    const value = field.check(sent, report)
    report.leave()
    if (value !== undefined) this.#keep(field, value)
  }

  /** Uses a stored value for a field that was not sent. */
  inherit(field: Field, value: unknown): void {
    this.#keep(field, value)
  }

  /** Sets a field that was not sent to its default or null. */
  fill(field: Field, report: PayloadReport): void {
    const value = field.defaultOf(report)
    if (value !== undefined) this.#keep(field, value)
    else if (field.place === 'value') this.#keepNothing(field)
    if (value === undefined && field.required) this.#miss(field)
  }

  /** Reports required fields without a value, except hidden ones. */
  reportMissing(report: PayloadReport, lookUp: LookUp): void {
    if (this.#missing === undefined) return
    for (const field of this.#missing) {
      if (field.isVisible(lookUp)) report.problemAt(field.name, 'required', 'is required')
    }
  }

  valueIn(field: Field | undefined): unknown {
    if (field === undefined) return undefined
    return field.place === 'link' ? this.links?.get(field.key) : this.values[field.key]
  }

  #miss(field: Field): void {
    this.#missing ??= []
    this.#missing.push(field)
  }

  #keepNothing(field: Field): void {
    this.#keep(field, field.isList ? [] : null)
  }

  #keep(field: Field, value: unknown): void {
    if (field.place === 'value') this.values[field.key] = value
    if (field.place !== 'link') return
    this.links ??= new Map()
    this.links.set(field.key, value as readonly number[])
  }
}

export interface GatherOptions {
  readonly absence: Absence
  readonly values: Record<string, unknown>
  /** Stored values by field, used for fields that were not sent. */
  readonly inherited?: Source | undefined
}

/** Checks the members of `source` that are fields of `set`; stores the results in `values`. */
export function gather(
  set: FieldSet,
  source: Source,
  report: PayloadReport,
  { absence, values, inherited = {} }: GatherOptions,
): Gathered {
  const gathered = new Gathered(values)
  for (const field of set.fields.values()) {
    const sent = valueIn(source, field.name)
    if (sent !== undefined) gathered.take(field, sent, report)
    else if (Object.hasOwn(inherited, field.name)) gathered.inherit(field, inherited[field.name])
    else if (absence === 'filled') gathered.fill(field, report)
  }
  return gathered
}

/** Reports members that are neither fields nor in `ignored`. */
export function reportUnknown(
  set: FieldSet,
  source: Source,
  report: PayloadReport,
  ignored: ReadonlySet<string>,
): void {
  for (const name of Object.keys(source)) {
    if (set.fields.has(name) || ignored.has(name)) continue
    report.problemAt(name, 'unknown', `${set.owner} has no such attribute`)
  }
}

/** An own member of the object: inherited ones were not sent. */
export function valueIn(source: Source, name: string): unknown {
  return Object.hasOwn(source, name) ? source[name] : undefined
}
