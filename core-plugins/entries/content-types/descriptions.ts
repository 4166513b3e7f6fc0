import { LRUCache } from 'lru-cache'
import { upTo } from '../../../kernel/index.ts'
import type { Auth } from '../../accounts/auth/auth.ts'
import type { Principal } from '../../foundation/http/http.ts'
import type { ContentType, Schemas } from '../../foundation/schemas/schemas.ts'
import type { AddedFields } from '../content/content.ts'
import type { TypeFacts } from './content-types.ts'
import { type Describing, describeComponent, describeType } from './describe.ts'
import { findReach } from './reach.ts'

/** Descriptions as JSON, by name. Many callers may read the same types, so each text is generated once. */
export interface Descriptions {
  readonly types: ReadonlyMap<string, string>
  readonly components: ReadonlyMap<string, string>
  /** All descriptions, as JSON arrays. */
  readonly allTypes: string
  readonly allComponents: string
}

export interface DescriptionsParts {
  readonly schemas: Schemas
  readonly auth: Auth
  facts(): readonly ((type: ContentType) => TypeFacts)[]
  readonly addedFieldsOf: AddedFields
}

/** There are few roles, and most of them may read either everything or the same part. */
const maxKept = 20

/** Describes the schemas according to what callers may read; caches the result until `forget`. */
export function createDescriptions({ schemas, auth, facts, addedFieldsOf }: DescriptionsParts) {
  const kept = new LRUCache<string, Descriptions>(upTo(maxKept))
  const names = [...schemas.types.keys()]

  const factsOf = (type: ContentType): TypeFacts =>
    Object.assign({}, ...facts().map((describe) => describe(type)))

  function describe(readable: ReadonlySet<string>, readsAll: boolean): Descriptions {
    const reach = findReach(schemas, (type) => readable.has(type), readsAll)
    const describing: Describing = { schemas, reach, factsOf, addedFieldsOf }
    const types = textsOf(
      [...schemas.allTypes.values()].filter((type) => reach.types.has(type)),
      {
        nameOf: ({ name }) => name,
        describe: (type) => describeType(type, describing),
      },
    )
    const components = textsOf(
      [...schemas.components.values()].filter((each) => reach.components.has(each)),
      {
        nameOf: ({ uid }) => uid,
        describe: (component) => describeComponent(component, describing),
      },
    )
    return { types, components, allTypes: arrayOf(types), allComponents: arrayOf(components) }
  }

  return {
    for(principal: Principal): Descriptions {
      const readable = names.filter((type) => auth.mayContent(principal, type, 'read'))
      const readsAll = auth.mayContent(principal, '', 'read')
      const key = `${readsAll} ${readable.join()}`
      const found = kept.get(key)
      if (found !== undefined) return found
      const made = describe(new Set(readable), readsAll)
      kept.set(key, made)
      return made
    },
    forget: () => kept.clear(),
  }
}

function textsOf<T>(
  items: readonly T[],
  { nameOf, describe }: { nameOf(item: T): string; describe(item: T): object },
): ReadonlyMap<string, string> {
  return new Map(items.map((item) => [nameOf(item), JSON.stringify(describe(item))]))
}

function arrayOf(texts: ReadonlyMap<string, string>): string {
  return `[${[...texts.values()].join()}]`
}
