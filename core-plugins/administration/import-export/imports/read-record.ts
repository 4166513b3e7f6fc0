import { draftMark, type EntryToSave } from '../../../entries/content/content.ts'
import { parseMoment } from '../../../foundation/database/database.ts'
import type { ErrorDetail } from '../../../foundation/http/http.ts'
import type { ContentType } from '../../../foundation/schemas/schemas.ts'

type Values = Readonly<Record<string, unknown>>

/** The member of a record that names another version of the same entry, in types with locales. */
export const localizationOf = 'localization_of'

/** A record, divided into attributes and the rest. */
export interface ReadRecord {
  /** Attributes and `locale`, as `saveMany` takes them. */
  readonly data: Values
  readonly state: Pick<EntryToSave, 'published' | 'comparedWith' | 'createdAt' | 'updatedAt' | 'uuid'>
  /** The natural key of another version of the same entry. */
  readonly version: unknown
  readonly problems: readonly ErrorDetail[]
}

export interface RecordRules {
  readonly type: ContentType
  /** Whether times and publication of the record are kept. */
  readonly keepsState: boolean
  /** Whether the caller may set them. */
  readonly maySetState: boolean
  readonly publish: boolean
  /** Whether records are matched by UUID, so that new entries get it. */
  readonly isMatchedByUuid: boolean
}

const stateMembers = ['published_at', 'created_at', 'updated_at'] as const

/** How far the clock of another machine may be ahead of this one. */
const toleranceMs = 60_000

/** Divides a record into its parts. */
export function readRecord(record: Values, rules: RecordRules): ReadRecord {
  const { type, keepsState, publish } = rules
  const ownMembers = [...stateMembers, 'uuid', localizationOf].filter((name) => !type.attributes.has(name))
  const data = Object.fromEntries(
    Object.entries(record).filter(([name]) => !ownMembers.includes(name as never)),
  )
  const sentAs = (name: string) =>
    ownMembers.includes(name as never) && Object.hasOwn(record, name) ? record[name] : undefined
  const version = sentAs(localizationOf)
  const problems: ErrorDetail[] = []
  const moments = new Map<string, string>()
  const isPendingDraft = saysPendingDraft(type, record)
  // The publication time belongs to the published entry, not to its draft.
  const counting = isPendingDraft ? stateMembers.filter((name) => name !== 'published_at') : stateMembers
  for (const name of keepsState ? counting : []) {
    const value = sentAs(name) ?? undefined
    if (value === undefined) continue
    const moment = typeof value === 'string' ? parseMoment(value) : undefined
    const problem = momentProblem(name, moment, rules)
    if (problem !== undefined) problems.push({ path: name, ...problem })
    else if (moment !== undefined) moments.set(name, moment)
  }
  const isIdentity = rules.isMatchedByUuid || (keepsState && rules.maySetState)
  const uuid = isIdentity ? (sentAs('uuid') ?? undefined) : undefined
  if (uuid !== undefined && typeof uuid !== 'string') {
    problems.push({ path: 'uuid', code: 'type', message: 'must be a UUID' })
  }
  const isDraft = keepsState && sentAs('published_at') === null && rules.maySetState
  const unnamed = publish ? (true as const) : isDraft ? null : undefined
  const published = moments.get('published_at') ?? unnamed
  const state = {
    published: type.options.draftAndPublish ? published : undefined,
    comparedWith: isPendingDraft ? ('latest' as const) : undefined,
    uuid: typeof uuid === 'string' ? uuid : undefined,
    createdAt: moments.get('created_at'),
    updatedAt: moments.get('updated_at'),
  }
  return { data, state, version: version ?? undefined, problems }
}

/** Whether a record is an entry with its pending draft, as reads with `draft=true` show it. Cells of tables are texts. */
export function saysPendingDraft({ options }: ContentType, record: unknown): boolean {
  const mark = typeof record === 'object' && record !== null && Object.hasOwn(record, draftMark)
  const said = mark ? (record as Values)[draftMark] : undefined
  return options.draftOverlay && (said === true || said === 'true')
}

function momentProblem(
  name: string,
  moment: string | undefined,
  { type, maySetState }: RecordRules,
): Omit<ErrorDetail, 'path'> | undefined {
  if (!maySetState) {
    const message = `needs the permission to publish ${type.name}: leave it out, or import with state=ignore`
    return { code: 'forbidden', message }
  }
  if (moment === undefined) {
    return { code: 'format', message: 'must be a time such as 2026-01-31T08:00:00.000Z' }
  }
  const isLater = name !== 'published_at' && Date.parse(moment) > Date.now() + toleranceMs
  return isLater ? { code: 'future', message: 'must not be in the future' } : undefined
}
