import type { Schemas } from '../schemas-service.ts'
import { preludeNames } from './typescript-filter-prelude.ts'

/** The names of the generated interfaces. */
export interface TypeNames {
  ofType(name: string): {
    readonly entry: string
    readonly input: string
    readonly filters: string
    readonly shape: string
  }
  ofComponent(uid: string): {
    readonly entry: string
    readonly input: string
    readonly filters: string
    readonly shape: string
  }
  /** The interface that lists all content types. */
  readonly registry: string
}

/** Gives each type and component unique interface names, even where two would result in the same ones. */
export function nameTypes(schemas: Schemas): TypeNames {
  const taken = new Set<string>([...preludeNames, 'ContentTypes'])
  const types = new Map(
    [...schemas.allTypes.keys()].map((name) => {
      const entry = allocate(name, ['', 'Input', 'Filters', 'Shape'], taken)
      const names = { input: `${entry}Input`, filters: `${entry}Filters`, shape: `${entry}Shape` }
      return [name, { entry, ...names }]
    }),
  )
  const components = new Map(
    [...schemas.components.keys()].map((uid) => {
      const entry = allocate(uid, ['', 'Input', 'Filters', 'Shape'], taken)
      const names = { input: `${entry}Input`, filters: `${entry}Filters`, shape: `${entry}Shape` }
      return [uid, { entry, ...names }]
    }),
  )
  return {
    ofType: (name) => known(types.get(name), name),
    ofComponent: (uid) => known(components.get(uid), uid),
    registry: 'ContentTypes',
  }
}

function allocate(name: string, suffixes: readonly string[], taken: Set<string>): string {
  let base = pascalCase(name)
  while (suffixes.some((suffix) => taken.has(base + suffix))) base = `${base}_`
  for (const suffix of suffixes) taken.add(base + suffix)
  return base
}

/** `shared.rich-text` becomes `SharedRichText`. */
function pascalCase(name: string): string {
  return name
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '')
    .map((word) => word[0]?.toUpperCase() + word.slice(1))
    .join('')
}

function known<T>(found: T | undefined, name: string): T {
  if (found === undefined) throw new Error(`there is no ${name}`)
  return found
}
