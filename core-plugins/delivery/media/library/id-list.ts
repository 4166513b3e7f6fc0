import { Type } from 'typebox'
import { AppError } from '../../../foundation/http/http.ts'

const maxIds = 500

/** Ids in a query: `7,3,12`. */
export const idListQuery = Type.String({
  pattern: '^[1-9][0-9]{0,14}(,[1-9][0-9]{0,14})*$',
  // Room for every id and its comma.
  maxLength: maxIds * 16,
  description: `Ids, separated by commas; at most ${maxIds}`,
})

/** The distinct ids of the list. @throws AppError 400 if there are too many */
export function assertIdList(text: string): number[] {
  const ids = [...new Set(text.split(',').map(Number))]
  if (ids.length <= maxIds) return ids
  throw AppError.invalid([
    { path: 'ids', code: 'maxItems', message: `must not have more than ${maxIds} ids` },
  ])
}
