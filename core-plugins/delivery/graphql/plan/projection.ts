import { jsonBytes, totalsField } from '../../../entries/content/content.ts'

/** An entry, or an item of a component, as returned by the content service. */
export type Item = Readonly<Record<string, unknown>>

/** The key under which a result refers to its source item, for resolvers that GraphQL itself calls. */
export const sourceOf = Symbol('source')

/** The key under which a result holds its type name, if the type is abstract. */
export const typeOf = Symbol('type')

/** Produces one member of a result from an item. */
export type Step = MemberStep | { readonly kind: 'source' } | { readonly kind: 'type'; readonly name: string }

type MemberStep =
  | { readonly key: string; readonly kind: 'value'; readonly name: string }
  | { readonly key: string; readonly kind: 'constant'; readonly value: unknown }
  | { readonly key: string; readonly kind: 'total'; readonly name: string }
  | { readonly key: string; readonly kind: 'inside'; readonly name: string; readonly steps: readonly Step[] }
  | {
      readonly key: string
      readonly kind: 'blocks'
      readonly name: string
      /** By component uid. */
      readonly stepsOf: ReadonlyMap<string, readonly Step[]>
    }

/** Counts the values of a response while it is built. @throws AnswerTooLarge */
export type CountValues = (values: number, bytes: number) => void

/** The requested fields of an item, under the requested names and in their order. */
export function project(item: Item, steps: readonly Step[], count: CountValues): Item {
  const answer: Record<string | symbol, unknown> = {}
  let bytes = 2
  let values = 0
  for (const step of steps) {
    if (step.kind === 'source') {
      answer[sourceOf] = item
      continue
    }
    if (step.kind === 'type') {
      answer[typeOf] = step.name
      continue
    }
    values++
    const member = memberOf(item, step, count)
    answer[step.key] = member
    // Nested items count themselves.
    const isCounted = step.kind === 'inside' || step.kind === 'blocks'
    bytes += step.key.length + 4 + (isCounted ? 0 : jsonBytes(member))
  }
  count(values, bytes)
  return answer
}

function memberOf(item: Item, step: MemberStep, count: CountValues): unknown {
  switch (step.kind) {
    case 'value':
      return item[step.name] ?? null
    case 'constant':
      return step.value
    case 'total':
      return (item[totalsField] as Item | undefined)?.[step.name] ?? null
    case 'inside':
      return projectAll(item[step.name], step.steps, count)
    case 'blocks':
      return projectBlocks(item[step.name], step.stepsOf, count)
  }
}

function projectAll(value: unknown, steps: readonly Step[], count: CountValues): unknown {
  if (Array.isArray(value)) return value.filter(isItem).map((item) => project(item, steps, count))
  return isItem(value) ? project(value, steps, count) : null
}

/** Middleware may have replaced an entry by its id. */
function isItem(value: unknown): value is Item {
  return typeof value === 'object' && value !== null
}

function projectBlocks(
  value: unknown,
  stepsOf: ReadonlyMap<string, readonly Step[]>,
  count: CountValues,
): unknown {
  if (!Array.isArray(value)) return null
  return value.flatMap((item: Item) => {
    const steps = stepsOf.get(String(item.__component))
    // The component was removed from the schema after the entry was written.
    return steps === undefined ? [] : [project(item, steps, count)]
  })
}
