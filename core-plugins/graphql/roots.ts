import type { FieldNode, GraphQLObjectType } from 'graphql'
import type { Auth, ContentAction } from '../auth/auth.ts'
import {
  type Awaitable,
  andThen,
  type Content,
  type ContentReads,
  type Entry,
  type EntryPage,
  type EntryQuery,
  parseMoment,
} from '../content/content.ts'
import type { Recipient } from '../database/database.ts'
import { AppError, type Principal } from '../http/http.ts'
import { statementCost } from './cost.ts'
import { type CountValues, type Item, project, type Step } from './projection.ts'
import { type RootMeaning, rootMeaningOf, type WriteVerb } from './schema/meaning.ts'
import { argumentsOf, type CompileScope, compileSelection, objectIn, subfields } from './selection.ts'

/** Who calls, and what answers. */
export interface Call {
  readonly content: Content
  /** All reads of the operation. */
  readonly reads: ContentReads
  readonly count: CountValues
  readonly auth: Auth
  readonly principal: Principal
  readonly ip: string | undefined
  readonly recipient: Recipient | undefined
}

/** One field of an operation, ready to be run for anybody. @throws AppError as REST does */
export type RunRoot = (call: Call) => Awaitable<unknown>

/** Compiles a field of `Query` or `Mutation` that reads or writes entries. */
export function compileRoot(
  type: GraphQLObjectType,
  nodes: readonly FieldNode[],
  scope: CompileScope,
): RunRoot {
  const [node] = nodes
  const field = node && type.getFields()[node.name.value]
  const meaning = rootMeaningOf(field)
  if (field === undefined) throw new Error(`${type.name} has no such field`)
  if (meaning === undefined) return () => null
  const args = argumentsOf(field, nodes, scope)
  const answer = objectIn(field.type)
  scope.cost.add(args.draft === true ? 2 * statementCost : statementCost)
  switch (meaning.kind) {
    case 'list':
      return compileList(meaning.type, args, compilePage(answer, nodes, args, scope))
    case 'find':
    case 'single':
      return compileFind(meaning, args, compileAnswer(answer, nodes, scope))
    default:
      return compileWrite(meaning, args, compileAnswer(answer, nodes, scope))
  }
}

interface Wrapper {
  /** An entry or several; undefined: not found. */
  readonly data: unknown
  readonly pagination?: EntryPage['pagination']
}

/** What a wrapper of entries is answered with: `data`, `pagination`, `__typename`. */
interface Wrapped {
  readonly query: Pick<EntryQuery, 'fields' | 'populate' | 'showsIds'>
  readonly answer: (found: Wrapper, count: CountValues) => Item
  readonly asksTotal: boolean
}

function compilePage(
  type: GraphQLObjectType,
  nodes: readonly FieldNode[],
  args: Readonly<Record<string, unknown>>,
  scope: CompileScope,
): Wrapped {
  const asked = args.limit === undefined ? scope.defaultLimit : Number(args.limit)
  const weight = Math.max(1, Math.min(asked, scope.maxLimit))
  return compileWrapper(type, nodes, weight, scope)
}

function compileAnswer(type: GraphQLObjectType, nodes: readonly FieldNode[], scope: CompileScope): Wrapped {
  return compileWrapper(type, nodes, 1, scope)
}

function compileWrapper(
  type: GraphQLObjectType,
  nodes: readonly FieldNode[],
  weight: number,
  scope: CompileScope,
): Wrapped {
  const fields = new Set(['id'])
  const populate: NonNullable<EntryQuery['populate']>[number][] = []
  const steps: Step[] = []
  let asksTotal = false
  for (const [key, same, first] of subfields(type, nodes, scope)) {
    const name = first.name.value
    if (name === '__typename') steps.push({ key, kind: 'constant', value: type.name })
    if (name === 'data') {
      const entry = compileSelection(objectIn(fieldType(type, name)), same, weight, scope)
      for (const each of entry.fields) fields.add(each)
      populate.push(...entry.expansions)
      steps.push({ key, kind: 'inside', name: 'data', steps: entry.steps })
    }
    if (name === 'pagination') {
      const inside = paginationSteps(objectIn(fieldType(type, name)), same, scope)
      asksTotal ||= inside.some((step) => step.kind === 'value' && step.name === 'total')
      steps.push({ key, kind: 'inside', name: 'pagination', steps: inside })
    }
  }
  if (asksTotal) scope.cost.add(statementCost)
  return {
    query: { fields: [...fields], populate, showsIds: false },
    answer: (found, count) => project({ ...found }, steps, count),
    asksTotal,
  }
}

function fieldType(type: GraphQLObjectType, name: string) {
  const field = type.getFields()[name]
  if (field === undefined) throw new Error(`${type.name} has no field ${name}`)
  return field.type
}

function paginationSteps(type: GraphQLObjectType, nodes: readonly FieldNode[], scope: CompileScope): Step[] {
  return subfields(type, nodes, scope).map(
    ([key, , { name }]): Step =>
      name.value === '__typename'
        ? { key, kind: 'constant', value: type.name }
        : { key, kind: 'value', name: name.value },
  )
}

function compileList(type: string, args: Readonly<Record<string, unknown>>, page: Wrapped): RunRoot {
  const { locale, fallback, ...list } = args
  const parameters = parametersIn({ locale, fallback })
  const query: EntryQuery = { ...list, ...page.query, parameters, total: page.asksTotal }
  return ({ reads, auth, principal, count, recipient }) => {
    expectAllowed(auth, principal, type, 'read')
    return andThen(reads.list(type, query, principal, recipient), ({ entries, pagination }) =>
      page.answer({ data: entries, pagination }, count),
    )
  }
}

function compileFind(
  { kind, type }: RootMeaning,
  args: Readonly<Record<string, unknown>>,
  wrapped: Wrapped,
): RunRoot {
  const { answer } = wrapped
  const query: EntryQuery = {
    ...wrapped.query,
    parameters: parametersIn(args),
    ...(args.draft === true ? { draft: true } : {}),
  }
  return ({ reads, auth, principal, count, recipient }) => {
    expectAllowed(auth, principal, type, 'read')
    const found =
      kind === 'single'
        ? reads.findSingle(type, query, principal, recipient)
        : reads.find(type, Number(args.id), query, principal, recipient)
    return andThen(found, (present) => answer({ data: present?.entry }, count))
  }
}

/** What is asked of the plugin for localisation. */
function parametersIn({ locale, fallback }: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return {
    ...(locale == null ? {} : { locale }),
    ...(fallback == null ? {} : { fallback }),
  }
}

const actions: Readonly<Record<WriteVerb, ContentAction>> = {
  create: 'create',
  update: 'update',
  delete: 'delete',
  publish: 'publish',
  unpublish: 'publish',
}

type WriteMeaning = Extract<RootMeaning, { isSingle: boolean }>

/** What the answer asks for is judged before anything is written. */
function compileWrite(
  meaning: WriteMeaning,
  args: Readonly<Record<string, unknown>>,
  wrapped: Wrapped,
): RunRoot {
  const { kind, type } = meaning
  const needsExpansion = (wrapped.query.populate ?? []).length > 0
  return async (call) => {
    const { reads, auth, principal, count } = call
    expectAllowed(auth, principal, type, actions[kind])
    const expand = needsExpansion ? reads.expander(type, wrapped.query, principal) : undefined
    const written = await write(meaning, args, call)
    if (expand === undefined) return wrapped.answer({ data: written }, count)
    // Others hold what was written, too: hooks, for one.
    const entry = structuredClone(written)
    await expand(entry)
    return wrapped.answer({ data: entry }, count)
  }
}

async function write(
  { kind, type, isSingle }: WriteMeaning,
  args: Readonly<Record<string, unknown>>,
  { content, principal, ip }: Call,
): Promise<Entry> {
  const request = { type, principal, ip }
  const query = { parameters: parametersIn(args) }
  if (kind === 'create') return content.create(request, args.data)
  if (isSingle && kind === 'update') return (await content.putSingle({ ...request, query }, args.data)).entry
  if (isSingle && kind === 'delete') return content.deleteSingle({ ...request, query })
  const id = isSingle ? await content.singleId(type, query) : Number(args.id)
  if (id === undefined) throw AppError.notFound(type)
  switch (kind) {
    case 'update':
      return content.update({ ...request, id }, args.data)
    case 'delete':
      return content.delete({ ...request, id })
    case 'publish':
      return content.publish({ ...request, id }, momentIn(args.publishedAt))
    case 'unpublish':
      return content.unpublish({ ...request, id })
  }
}

function momentIn(text: unknown): string | undefined {
  if (text === undefined) return undefined
  const moment = parseMoment(String(text))
  if (moment !== undefined) return moment
  const message = 'must be an ISO 8601 time with an offset, such as 2026-01-31T08:00:00Z'
  throw AppError.invalid([{ path: 'publishedAt', code: 'format', message }])
}

function expectAllowed(auth: Auth, principal: Principal, type: string, action: ContentAction): void {
  if (!auth.mayContent(principal, type, action)) auth.refuse(principal)
}
