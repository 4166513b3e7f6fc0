import { AppError } from '../../foundation/http/http.ts'
import type { ContentType, Schemas } from '../../foundation/schemas/schemas.ts'
import type { Docs, ShownRoute } from '../docs/docs.ts'
import { assertArguments } from './arguments.ts'
import { presentData } from './present-answer.ts'
import type { AgentRequest, Tool } from './tool.ts'

export interface TypeToolsDeps {
  readonly docs: Docs
  readonly schemas: Schemas
  readonly maxAnswerLength: () => number
}

const reads = { writes: false, destroys: false, isIdempotent: true } as const

/** Tools that list and describe the content types and what the caller may do with them. */
export function typeTools(deps: TypeToolsDeps): Tool[] {
  return [listTypes(deps), describeType(deps)]
}

const listTypes = ({ docs, schemas, maxAnswerLength }: TypeToolsDeps): Tool => ({
  ...reads,
  name: 'list_types',
  description:
    'Lists the content types that you may use. Begin here; then describe_type tells the fields of one.',
  inputSchema: { type: 'object', properties: {}, additionalProperties: false },
  async call(given, { principal }) {
    assertArguments(given, this.inputSchema)
    const usable = await docs.usableBy(principal, hasTool)
    const names = new Set(usable.flatMap(({ variant }) => variant.values?.type ?? []))
    const data = [...names].flatMap((name) => schemas.types.get(name) ?? []).map(summaryOf)
    return { text: presentData({ data }, maxAnswerLength()), isError: false }
  },
})

const describeType = (deps: TypeToolsDeps): Tool => ({
  ...reads,
  name: 'describe_type',
  description:
    'Tells the fields of a content type: the JSON Schema of its entries as they are read, and of what create_entry and ' +
    'update_entry take as data. Also whether it has drafts and locales, and which tools you may use with it.',
  inputSchema: {
    type: 'object',
    required: ['type'],
    properties: { type: { type: 'string', description: 'The name of a type, as list_types tells it' } },
    additionalProperties: false,
  },
  async call(given, request) {
    assertArguments(given, this.inputSchema)
    const name = String(given.type)
    const data = await descriptionOf(name, request, deps)
    return { text: presentData({ data }, deps.maxAnswerLength()), isError: false, target: name.slice(0, 255) }
  },
})

const hasTool = ({ tool }: ShownRoute['route']): boolean => tool !== undefined && tool !== false

function summaryOf({ name, pluralName, displayName, description, kind, options }: ContentType) {
  return {
    type: name,
    title: displayName,
    ...(description === '' ? {} : { description }),
    ...(kind === 'singleType' ? { single: true } : { plural: pluralName }),
    drafts: options.draftAndPublish,
    localised: options.i18n.enabled,
  }
}

async function descriptionOf(name: string, { principal }: AgentRequest, { docs, schemas }: TypeToolsDeps) {
  const shown = await docs.usableBy(principal, hasTool)
  const own = shown.filter(({ variant }) => variant.values?.type === name)
  const type = schemas.types.get(name)
  // Types that the caller may not use are reported as missing.
  if (type === undefined || own.length === 0) throw AppError.notFound(`content type ${name.slice(0, 100)}`)
  const { locales } = type.options.i18n
  return {
    ...summaryOf(type),
    ...(locales === undefined ? {} : { locales }),
    tools: own.map(({ route }) => (route.tool === undefined || route.tool === false ? '' : route.tool.name)),
    schemas: schemasOf(own, docs),
  }
}

/** The schemas of entries and inputs with their components. Those of filters are left out, since they are the longest. */
function schemasOf(own: readonly ShownRoute[], docs: Docs): unknown {
  const described = own.map(({ route, variant }) => {
    const { query: _, ...rest } = variant
    return { route, variant: rest }
  })
  const { schemas } = docs.describe(described).components as { schemas: Readonly<Record<string, unknown>> }
  const { Error: _, Pagination: __, ...named } = schemas
  return named
}
