import { RowsRefused } from '../../../entries/content/content.ts'
import { AppError, type ErrorDetail } from '../../../foundation/http/http.ts'
import { type ItemName, nameOf } from '../../../foundation/sections/sections.ts'

const maxProblems = 100

/** Makes problems name the items instead of their positions in the batch. @throws what `write` throws */
export async function named<T>(items: readonly ItemName[], write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (error instanceof RowsRefused) throw rowsRefused(error, items)
    const [only] = items
    if (!(error instanceof AppError) || error.status >= 500 || only === undefined || items.length > 1)
      throw error
    const { code, message, details = [{ path: '', code, message }] } = error
    const inItem = details.map((detail) => ({ ...detail, path: pathIn(only, detail.path) }))
    throw AppError.reworded(error, `${only.section}: ${message}`, { details: inItem, cause: error })
  }
}

function rowsRefused({ rows }: RowsRefused, items: readonly ItemName[]): AppError {
  const details = rows.flatMap(({ index, error: { code, message, details: own } }): ErrorDetail[] => {
    const item = items[index]
    if (item === undefined) return []
    return (own ?? [{ path: '', code, message }]).map((detail) => ({
      ...detail,
      path: pathIn(item, detail.path),
    }))
  })
  const [first] = details
  const message = `${first?.path} ${first?.message}`
  const told = { details: details.slice(0, maxProblems) }
  const [row] = rows
  return row === undefined
    ? new AppError('CONFLICT', message, told)
    : AppError.reworded(row.error, message, told)
}

const pathIn = (item: ItemName, path: string) => (path === '' ? nameOf(item) : `${nameOf(item)}.${path}`)
