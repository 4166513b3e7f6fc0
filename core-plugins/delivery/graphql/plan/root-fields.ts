import { GraphQLError, type GraphQLObjectType } from 'graphql'
import { type Awaitable, andThen } from '../../../../kernel/index.ts'
import type { EntryQuery } from '../../../entries/content/content.ts'
import { type RootMeaning, rootMeaningOf } from '../schema/meaning.ts'
import { addedParametersIn, argumentsOf, parametersIn } from './arguments.ts'
import { assertAllowed, type Call, type RunRoot } from './call.ts'
import { compileChanged } from './changed-root.ts'
import { statementCost } from './cost.ts'
import { compileEntities } from './entities.ts'
import { compileFeatureRoot } from './feature-roots.ts'
import { compilePluginRoot } from './plugin-roots.ts'
import { compileWrite } from './root-writes.ts'
import type { FieldNodes } from './selected-fields.ts'
import { type CompileContext, objectIn } from './selection.ts'
import { compileAnswer, compilePage, type Wrapped } from './wrapper.ts'

/** Compiles a field of `Query`, `Mutation` or `Subscription`. */
export function compileRoot(type: GraphQLObjectType, nodes: FieldNodes, deps: CompileContext): RunRoot {
  const field = type.getFields()[nodes[0].name.value]
  const meaning = rootMeaningOf(field)
  if (field === undefined) throw new Error(`${type.name} has no such field`)
  if (meaning === undefined || meaning.kind === 'service') return () => null
  if (meaning.kind === 'plugin') return compilePluginRoot(meaning, field, nodes, deps)
  if (meaning.kind === 'entities') return compileEntities(field, nodes, deps)
  if (meaning.kind === 'changed') return compileChanged(meaning.type, field, nodes, deps)
  if (meaning.kind === 'feature') return compileFeatureRoot(meaning, field, nodes, deps)
  const args = argumentsOf(field, nodes, deps)
  const added = addedParametersIn(field, args)
  const answer = objectIn(field.type)
  deps.cost.add(args.draft === true ? 2 * statementCost : statementCost)
  switch (meaning.kind) {
    case 'list': {
      const page = { limit: args.limit, limits: deps.pageLimits(meaning.type) }
      return compileList(meaning.type, { args, added }, compilePage(answer, nodes, page, deps))
    }
    case 'find':
    case 'single':
      return compileFind(meaning, { args, added }, compileAnswer(answer, nodes, deps))
    default:
      return compileWrite(meaning, args, compileAnswer(answer, nodes, deps))
  }
}

/** The arguments, and those of them that plugins added. */
interface ReadArguments {
  readonly args: Readonly<Record<string, unknown>>
  readonly added: Readonly<Record<string, unknown>>
}

function compileList(type: string, { args, added }: ReadArguments, page: Wrapped): RunRoot {
  const { locale, fallback, ...others } = args
  const parameters = { ...added, ...parametersIn({ locale, fallback }) }
  const list = Object.fromEntries(Object.entries(others).filter(([name]) => !Object.hasOwn(added, name)))
  const query: EntryQuery = { ...list, ...page.query, parameters, total: page.asksTotal }
  return (call) => {
    const { reads, principal, count, recipient } = call
    assertAllowed(call, type, 'read')
    return andThen(reads.list(type, query, principal, recipient), ({ entries, pagination }) =>
      page.answer({ data: entries, pagination }, count),
    )
  }
}

function compileFind(
  { kind, type }: Extract<RootMeaning, { kind: 'find' | 'single' | 'list' }>,
  { args, added }: ReadArguments,
  wrapped: Wrapped,
): RunRoot {
  const { answer } = wrapped
  const idFor = kind === 'single' ? undefined : compileId(type, args)
  const query: EntryQuery = {
    ...wrapped.query,
    parameters: { ...added, ...parametersIn(args) },
    ...(args.draft === true ? { draft: true } : {}),
    ...(args.deleted === true ? { deleted: true } : {}),
  }
  return (call) => {
    const { reads, principal, count, recipient } = call
    assertAllowed(call, type, 'read')
    const found =
      idFor === undefined
        ? reads.findSingle(type, query, principal, recipient)
        : andThen(idFor(call), (id) =>
            id === undefined ? undefined : reads.find(type, id, query, principal, recipient),
          )
    return andThen(found, (present) => answer({ data: present?.entry }, count))
  }
}

/**
 * Compiles how to find the id of an entry, which the caller may see, from `id` or `uuid`.
 * @throws GraphQLError for none or both
 */
function compileId(
  type: string,
  { id, uuid, deleted }: Readonly<Record<string, unknown>>,
): (call: Call) => Awaitable<number | undefined> {
  if ((id === undefined) === (uuid === undefined)) throw new GraphQLError('takes either id or uuid')
  if (uuid === undefined) return () => Number(id)
  const shown = { fields: ['id'], limit: 1, total: false, ...(deleted === true ? { deleted } : {}) }
  const query: EntryQuery = { filters: { uuid: { $eq: uuid } }, ...shown }
  return ({ reads, principal, recipient }) =>
    andThen(reads.list(type, query, principal, recipient), ({ entries: [entry] }) => entry?.id)
}
