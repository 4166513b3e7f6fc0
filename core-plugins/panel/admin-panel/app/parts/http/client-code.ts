import { tokenVariable } from './curl.ts'
import type { ReadRequest } from './read-request.ts'

export interface ServicePlace {
  readonly origin: string
  readonly apiPrefix: string
}

/** A program that sends the same request with the typed client. */
export function clientCodeOf({ type, id, query }: ReadRequest, { origin, apiPrefix }: ServicePlace): string {
  const options = Object.keys(query).length === 0 ? '' : literal(query)
  const name = literal(type.name)
  const isList = id === undefined && type.kind === 'collectionType'
  const call =
    type.kind === 'singleType'
      ? `single(${name}).get(${options})`
      : `collection(${name}).${isList ? `list(${options})` : `get(${[id, options].filter(Boolean).join(', ')})`}`
  const prefix = apiPrefix === '/api' ? '' : `\n  apiPrefix: ${literal(apiPrefix)},`
  return `import { createClient } from 'mortise-client'
import type { ContentTypes } from './content-types.ts'

const cms = createClient<ContentTypes>({
  url: ${literal(origin)},${prefix}
  token: process.env.${tokenVariable},
})

const ${isList ? '{ data, pagination }' : 'entry'} = await cms.${call}
`
}

const longestLine = 60

/** A value as source code, on one line if it fits. */
function literal(value: unknown, indent = ''): string {
  if (typeof value === 'string') return quoted(value)
  if (typeof value !== 'object' || value === null) return String(value)
  const inner = `${indent}  `
  const isArray = Array.isArray(value)
  const parts = isArray
    ? value.map((each) => literal(each, inner))
    : Object.entries(value).map(([name, each]) => `${key(name)}: ${literal(each, inner)}`)
  const [open, close] = isArray ? ['[', ']'] : ['{ ', ' }']
  const line = `${open}${parts.join(', ')}${close}`
  if (line.length <= longestLine && !line.includes('\n')) return line
  return `${open.trim()}\n${parts.map((part) => `${inner}${part},\n`).join('')}${indent}${close.trim()}`
}

const key = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name))

/** A string literal, escaped as in JSON, in the program's quotes. */
const quoted = (text: string) =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
