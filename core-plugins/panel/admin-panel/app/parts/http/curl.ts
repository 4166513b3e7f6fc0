import { addressQuery } from '../../../../../../client/list-query.ts'
import type { ReadRequest } from './read-request.ts'

/** The variable that programs take their token from; none stands in what is shown. */
export const tokenVariable = 'MORTISE_TOKEN'

/** A command line that asks the service at `url`, which includes the API prefix. */
export function curlOf({ type, id, query }: ReadRequest, url: string): string {
  const path = `/content/${encodeURIComponent(type.name)}${id === undefined ? '' : `/${id}`}`
  const address = `${url}${path}${addressQuery(query as Readonly<Record<string, unknown>>)}`
  return `curl ${shellQuoted(address)} \\\n  -H "Authorization: Bearer $${tokenVariable}"`
}

/** Nothing in it means anything to a shell. */
const shellQuoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
