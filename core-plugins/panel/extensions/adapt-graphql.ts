import type { GraphqlExtension } from '../../delivery/graphql/graphql.ts'
import { type ErrorReport, reportedCall } from './report-errors.ts'

/** Reports errors of a plugin's GraphQL fields under its name. GraphQL itself validates the rest on first use. */
export function adaptGraphql(
  { report }: { readonly report: ErrorReport },
  extension: GraphqlExtension,
): GraphqlExtension {
  const { fieldsOf, queries, mutations } = extension
  return {
    ...extension,
    ...(fieldsOf && { fieldsOf: (type) => reporting(fieldsOf(type), 'load', report) }),
    ...(queries && { queries: reporting(queries, 'resolve', report) }),
    ...(mutations && { mutations: reporting(mutations, 'resolve', report) }),
  }
}

function reporting<Method extends string, Field extends { readonly [Key in Method]: unknown }>(
  fields: Readonly<Record<string, Field>>,
  method: Method,
  report: ErrorReport,
): Readonly<Record<string, Field>> {
  const adapted = Object.entries(fields).map(([name, field]) => {
    const call = field[method]
    if (typeof call !== 'function')
      throw new Error(`the GraphQL field ${name} must have a function ${method}`)
    const where = `the GraphQL field ${name}`
    return [
      name,
      { ...field, [method]: reportedCall(where, (...values) => call.apply(field, values), report) },
    ]
  })
  return Object.fromEntries(adapted)
}
