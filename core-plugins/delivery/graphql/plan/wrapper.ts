import type { GraphQLObjectType } from 'graphql'
import type { EntryPage, EntryQuery, PageLimits } from '../../../entries/content/content.ts'
import { statementCost } from './cost.ts'
import { type CountValues, type Item, project, type Step } from './projection.ts'
import { type FieldNodes, subfields } from './selected-fields.ts'
import { type CompileContext, compileSelection, objectIn } from './selection.ts'

/** The value of a root field. */
export interface Wrapper {
  /** An entry or several; undefined if not found. */
  readonly data: unknown
  readonly pagination?: EntryPage['pagination']
}

/** A compiled wrapper of entries: `data`, `pagination`, `__typename`. */
export interface Wrapped {
  readonly query: Pick<EntryQuery, 'fields' | 'populate' | 'showsIds'>
  readonly answer: (found: Wrapper, count: CountValues) => Item
  readonly asksTotal: boolean
}

/** Compiles the selection of a page of entries; `limits` are those of their content type. */
export function compilePage(
  type: GraphQLObjectType,
  nodes: FieldNodes,
  { limit, limits }: { readonly limit: unknown; readonly limits: PageLimits },
  deps: CompileContext,
): Wrapped {
  const weight = Math.max(1, Math.min(Number(limit ?? limits.defaultLimit), limits.maxLimit))
  return compileWrapper(type, nodes, weight, deps)
}

/** Compiles the selection of one entry. */
export function compileAnswer(type: GraphQLObjectType, nodes: FieldNodes, deps: CompileContext): Wrapped {
  return compileWrapper(type, nodes, 1, deps)
}

function compileWrapper(
  type: GraphQLObjectType,
  nodes: FieldNodes,
  weight: number,
  deps: CompileContext,
): Wrapped {
  const fields = new Set(['id'])
  const populate: NonNullable<EntryQuery['populate']>[number][] = []
  const steps: Step[] = []
  let asksTotal = false
  for (const [key, same] of subfields(type, nodes, deps)) {
    const name = same[0].name.value
    if (name === '__typename') steps.push({ key, kind: 'constant', value: type.name })
    if (name === 'data') {
      const entry = compileSelection(objectIn(fieldType(type, name)), same, weight, deps)
      for (const each of entry.fields) fields.add(each)
      populate.push(...entry.expansions)
      steps.push({ key, kind: 'inside', name: 'data', steps: entry.steps })
    }
    if (name === 'pagination') {
      const inside = paginationSteps(objectIn(fieldType(type, name)), same, deps)
      asksTotal ||= inside.some((step) => step.kind === 'value' && step.name === 'total')
      steps.push({ key, kind: 'inside', name: 'pagination', steps: inside })
    }
  }
  if (asksTotal) deps.cost.add(statementCost)
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

function paginationSteps(type: GraphQLObjectType, nodes: FieldNodes, deps: CompileContext): Step[] {
  return [...subfields(type, nodes, deps)].map(
    ([key, [{ name }]]): Step =>
      name.value === '__typename'
        ? { key, kind: 'constant', value: type.name }
        : { key, kind: 'value', name: name.value },
  )
}
