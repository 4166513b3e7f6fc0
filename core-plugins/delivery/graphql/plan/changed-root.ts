import { GraphQLError, type GraphQLField, type GraphQLObjectType } from 'graphql'
import type { EntryQuery } from '../../../entries/content/content.ts'
import { addedParametersIn, argumentsOf, parametersIn } from './arguments.ts'
import type { RunRoot } from './call.ts'
import { statementCost } from './cost.ts'
import { project, type Step } from './projection.ts'
import { type FieldNodes, subfields } from './selected-fields.ts'
import { type CompileContext, compileSelection, objectIn } from './selection.ts'

/** Limited, since the ids stay in memory as long as the subscription. */
const maxFollowed = 1_000

/** Compiles a field of `Subscription`: records what it follows, and returns a function that resolves one event. */
export function compileChanged(
  type: string,
  field: GraphQLField<unknown, unknown>,
  nodes: FieldNodes,
  deps: CompileContext,
): RunRoot {
  const args = argumentsOf(field, nodes, deps)
  const { ids, locale, draft, since } = args
  if (Array.isArray(ids) && ids.length > maxFollowed) {
    throw new GraphQLError(`ids: takes at most ${maxFollowed}; leave them out to follow all`)
  }
  const { query, steps } = compileEvent(objectIn(field.type), nodes, deps)
  deps.cost.add(draft === true ? 2 * statementCost : statementCost)
  deps.seen.followed = {
    type,
    ids: Array.isArray(ids) ? new Set(ids.map(Number)) : undefined,
    locale: locale as string | undefined,
    draft: draft === true,
    since: since as string | undefined,
    query: {
      ...query,
      total: false,
      parameters: { ...addedParametersIn(field, args), ...parametersIn({ locale }) },
      ...(draft === true ? { draft: true } : {}),
    },
  }
  return ({ event, count }) => {
    if (event === undefined) throw new Error(`${type} was not told of as an event`)
    if (event instanceof Error) throw event
    return project({ ...event }, steps, count)
  }
}

function compileEvent(type: GraphQLObjectType, nodes: FieldNodes, deps: CompileContext) {
  let query: Pick<EntryQuery, 'fields' | 'populate' | 'showsIds'> = { fields: ['id'], showsIds: false }
  const steps: Step[] = []
  for (const [key, same] of subfields(type, nodes, deps)) {
    const name = same[0].name.value
    const field = type.getFields()[name]
    if (name === '__typename') steps.push({ key, kind: 'constant', value: type.name })
    else if (name !== 'entry' || field === undefined) steps.push({ key, kind: 'value', name })
    else {
      const entry = compileSelection(objectIn(field.type), same, 1, deps)
      query = joined(query, [...entry.fields], entry.expansions)
      steps.push({ key, kind: 'inside', name, steps: entry.steps })
    }
  }
  return { query, steps }
}

/** Merges the selections of `entry`, which may be requested under several names. */
function joined(
  { fields = [], populate = [] }: EntryQuery,
  more: readonly string[],
  expansions: NonNullable<EntryQuery['populate']>,
) {
  return {
    fields: [...new Set([...fields, ...more])],
    populate: [...populate, ...expansions],
    showsIds: false,
  }
}
