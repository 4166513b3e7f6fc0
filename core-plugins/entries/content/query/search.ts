import type { ErrorDetail } from '../../../foundation/http/http.ts'
import type { EntrySearch } from '../entry/entry-extensions.ts'
import type { ColumnField, EntryModel } from '../entry/entry-model.ts'
import { assertConverted } from '../entry/waiting-conversion.ts'
import type { BoundRestriction } from './bound-restriction.ts'
import type { Condition, Slots } from './condition.ts'
import { parseText } from './filter-value.ts'
import { canonicalFieldName } from './filters.ts'
import { booleanParameter, type ParameterReader, textParameter } from './parameters.ts'
import { bindRestriction } from './restriction.ts'

const maxSearchWords = 10

interface SearchDeps {
  readonly slots: Slots
  readonly search: EntrySearch | undefined
}

/** A search for words, as conditions or by the full-text index. */
export interface ParsedSearch {
  readonly condition?: Condition | undefined
  readonly restriction?: BoundRestriction
}

/** Reads `search`, `searchFields` and `typos`. Uses the full-text index if the type has one and no fields are named. */
export function parseSearch(
  reader: ParameterReader,
  model: EntryModel,
  { slots, search }: SearchDeps,
): ParsedSearch {
  const { problems, raw } = reader
  const fields = parseSearchFields(reader, model)
  const text = textParameter(reader, 'search') ?? ''
  const typos = booleanParameter(reader, 'typos') ?? false
  const parsed = parseText(text)
  if ('problem' in parsed) problems.push({ path: 'search', code: 'format', message: parsed.problem })
  if (search === undefined || raw.searchFields !== undefined) {
    if (typos) problems.push({ path: 'typos', code: 'unknown', message: needsIndex(model, search) })
    return { condition: searchCondition(text, { fields, slots, problems }) }
  }
  if (text.trim() === '') return {}
  const locale = typeof raw.locale === 'string' ? raw.locale : undefined
  const restriction = search.restrict({ type: model.type, text, typos, locale, problems })
  return restriction === undefined ? {} : { restriction: bindRestriction(restriction, slots) }
}

function needsIndex({ type }: EntryModel, search: EntrySearch | undefined): string {
  const reason = search === undefined ? `${type.name} has none` : 'a search with searchFields does not use it'
  return `works with the search index only; ${reason}`
}

interface ConditionDeps {
  readonly fields: readonly ColumnField[]
  readonly slots: Slots
  readonly problems: ErrorDetail[]
}

/** Every word must occur in one of the fields, ignoring case, possibly inside a longer word. */
function searchCondition(text: string, { fields, slots, problems }: ConditionDeps): Condition | undefined {
  const words = text.split(/\s+/).filter((word) => word !== '')
  if (words.length === 0) return undefined
  if (words.length > maxSearchWords) {
    problems.push({ path: 'search', code: 'maxItems', message: `takes at most ${maxSearchWords} words` })
  }
  const conditions = words.map((word): Condition => {
    const slot = slots.add('text', word)
    return {
      kind: 'or',
      conditions: fields.map((field) => ({
        kind: 'compare',
        field,
        comparison: '$containsi',
        slots: [slot],
      })),
    }
  })
  return { kind: 'and', conditions }
}

const isText = ({ kind }: ColumnField) => kind === 'string' || kind === 'text'

const shownTexts = ({ columns, shownNames }: EntryModel) =>
  [...columns.values()].filter(
    (field) => isText(field) && field.held?.() === undefined && shownNames.has(field.name),
  )

function parseSearchFields(reader: ParameterReader, model: EntryModel): ColumnField[] {
  const text = textParameter(reader, 'searchFields')
  if (text === undefined || text.trim() === '') return shownTexts(model)
  const names = new Set(text.split(','))
  return [...names].flatMap((name) => {
    const field = model.columns.get(canonicalFieldName(name.trim()))
    if (field !== undefined && isText(field)) return [assertConverted(field)]
    const message = `${model.type.name} has no text field ${name.trim()}`
    reader.problems.push({ path: 'searchFields', code: 'unknown', message })
    return []
  })
}
