/** An entry, or an item of a component, as the content service answers it. */
export type Item = Readonly<Record<string, unknown>>

/** Makes one member of an answer out of an item. */
export type Step =
  | { readonly key: string; readonly kind: 'value'; readonly name: string }
  | { readonly key: string; readonly kind: 'constant'; readonly value: unknown }
  | { readonly key: string; readonly kind: 'inside'; readonly name: string; readonly steps: readonly Step[] }
  | {
      readonly key: string
      readonly kind: 'blocks'
      readonly name: string
      /** By the uid of the component. */
      readonly stepsOf: ReadonlyMap<string, readonly Step[]>
    }

/** What was asked for of an item, under the names and in the order in which it was asked for. */
export function project(item: Item, steps: readonly Step[]): Item {
  const answer: Record<string, unknown> = {}
  for (const step of steps) answer[step.key] = memberOf(item, step)
  return answer
}

function memberOf(item: Item, step: Step): unknown {
  switch (step.kind) {
    case 'value':
      return item[step.name] ?? null
    case 'constant':
      return step.value
    case 'inside':
      return projectAll(item[step.name], step.steps)
    case 'blocks':
      return projectBlocks(item[step.name], step.stepsOf)
  }
}

function projectAll(value: unknown, steps: readonly Step[]): unknown {
  if (Array.isArray(value)) return value.map((item: Item) => project(item, steps))
  return typeof value === 'object' && value !== null ? project(value as Item, steps) : null
}

function projectBlocks(value: unknown, stepsOf: ReadonlyMap<string, readonly Step[]>): unknown {
  if (!Array.isArray(value)) return null
  return value.flatMap((item: Item) => {
    const steps = stepsOf.get(String(item.__component))
    // A component that has left the schema since the entry was written.
    return steps === undefined ? [] : [project(item, steps)]
  })
}
