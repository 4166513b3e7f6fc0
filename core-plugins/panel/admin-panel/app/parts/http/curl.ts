import { addressQuery } from '../../../../../../client/list-query.ts'
import type { ReadRequest } from './read-request.ts'

/** The environment variable for the token, so that no token is shown. */
export const tokenVariable = 'MORTISE_TOKEN'

/** A curl command for the request; `url` includes the API prefix. */
export function curlOf({ type, id, query }: ReadRequest, url: string): string {
  const path = `/content/${encodeURIComponent(type.name)}${id === undefined ? '' : `/${id}`}`
  const address = `${url}${path}${addressQuery(query as Readonly<Record<string, unknown>>)}`
  return `curl ${shellQuoted(address)} \\\n  -H "Authorization: Bearer $${tokenVariable}"`
}

/** Quotes a text for a shell. */
const shellQuoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
