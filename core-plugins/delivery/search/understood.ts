import { AppError, type ErrorDetail } from '../../foundation/http/http.ts'
import type { ContentType } from '../../foundation/schemas/schemas.ts'
import type { SearchRequest } from './search.ts'
import type { SearchLocales } from './search-locales.ts'
import type { SearchedTexts } from './searched-texts.ts'
import { problemsOf, type Term, termsIn } from './terms.ts'
import type { Tokenizers } from './tokenizers.ts'

interface UnderstoodDeps {
  readonly texts: SearchedTexts
  readonly locales: SearchLocales
  readonly tokenizers: Tokenizers
}

/** The parsed terms, and the fields to search; undefined: all fields. */
export interface Understood {
  readonly terms: readonly Term[]
  readonly fields: readonly string[] | undefined
}

/** @throws AppError 400 with all problems */
export function understood(
  request: SearchRequest,
  types: readonly ContentType[],
  deps: UnderstoodDeps,
): Understood {
  const locales = deps.locales.of(types, request.locale)
  const terms = termsIn(request.text, { locales, tokenizers: deps.tokenizers, prefix: request.prefix })
  const problems: ErrorDetail[] = problemsOf(terms).map((message) => ({
    path: 'q',
    code: 'maxItems',
    message,
  }))
  const known = [...new Set(types.flatMap((type) => deps.texts.fields(type)))]
  const fields = request.fields && fieldsNamed(request.fields, known, problems)
  if (fields !== undefined && fields.length * terms.length > maxFieldTerms) {
    const message = `takes at most ${maxFieldTerms} words, counted once for each of the ${fields.length} fields`
    problems.push({ path: 'fields', code: 'maxItems', message })
  }
  if (problems.length > 0) throw AppError.invalid(problems)
  return { terms, fields }
}

/** The maximum number of terms times fields, since each term is searched in each field. */
const maxFieldTerms = 256

/** Fields that exist only in types hidden from the caller are reported as unknown. */
function fieldsNamed(names: readonly string[], known: readonly string[], problems: ErrorDetail[]): string[] {
  const found = new Set<string>()
  for (const name of new Set(names)) {
    const named = known.filter((field) => field === name || field.startsWith(`${name}.`))
    if (named.length === 0) {
      const message = `none of the searched types has a text field ${name}`
      problems.push({ path: 'fields', code: 'unknown', message })
    }
    for (const field of named) found.add(field)
  }
  return [...found]
}
