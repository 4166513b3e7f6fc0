import { sql } from 'drizzle-orm'
import type { ShownValue, ShownValues } from '../../../entries/content/content.ts'
import type { Dialect } from '../../../foundation/database/database.ts'
import type { MediaFormats } from '../media.ts'
import { keyIn } from '../media-key.ts'
import type { Addresses } from './addresses.ts'

/**
 * Makes records show the present addresses of their files. The columns hold the addresses at the time of the upload, of which
 * only the keys are used; older versions of the service show them unchanged.
 */
export function shownAddresses({ urlOf }: Addresses, dialect: Dialect): ShownValues {
  const shown = (stored: string) => urlOf(keyIn(stored))
  const start = urlOf('')
  const behindStart = sql.raw(String([...start].length + 1))
  const url: ShownValue = {
    of: (stored) => shown(stored as string),
    sql: (column) => dialect.concat(sql`${start}`, column('filename')),
    indexed: (column, value) => sql`${column('filename')} = substr(${value}, ${behindStart})`,
  }
  const formats: ShownValue = {
    of(stored) {
      if (stored === null) return null
      const thumbnails = Object.entries(stored as MediaFormats)
      return Object.fromEntries(thumbnails.map(([name, each]) => [name, { ...each, url: shown(each.url) }]))
    },
    problemAt: (keys) =>
      keys.at(-1) === 'url' ? 'cannot be compared: addresses are made of the filename; use that' : undefined,
  }
  return ({ name }) => (name === 'media' ? { url, formats } : {})
}
