import type { DescribedType } from '../../../ground/api/content-types.ts'
import type { EntryRow } from './entry-row.ts'
import type { ListRequest } from './list-request.ts'
import { readPage } from './use-entries.ts'

const offered = 20

/**
 * Searches entries to choose from: first those with the text in their titles, then full-text matches. Without a text, the first
 * entries.
 */
export async function searchEntries(
  type: DescribedType,
  text: string,
  request: ListRequest,
): Promise<readonly EntryRow[]> {
  const read = (matching: ListRequest) =>
    readPage(type, { ...request, ...matching, limit: offered, total: false })
  const searches = text === '' ? [{}] : [{ search: text, searchFields: [type.titleField] }, { search: text }]
  const pages = await Promise.all(searches.map(read))
  const found = pages.flatMap(({ data }) => data)
  return [...new Map(found.map((entry) => [entry.id, entry])).values()].slice(0, offered)
}
