import { useMemo } from 'react'
import { type Components, useComponents } from '../../../ground/api/components.ts'
import {
  type DescribedAttribute,
  type DescribedType,
  useContentTypes,
} from '../../../ground/api/content-types.ts'

/** Looks up the types and components that are named in an entry. */
export interface SchemaFacts {
  readonly types: readonly DescribedType[]
  fieldsOf(uid: string): readonly DescribedAttribute[]
  /** The name of a component as editors know it. */
  nameOf(uid: string): string
}

/** Types and components by name; undefined until they are known. */
export function useSchemaFacts(): SchemaFacts | undefined {
  const types = useContentTypes()
  const components = useComponents()
  return useMemo(
    () => (types === undefined || components === undefined ? undefined : factsOf(types, components)),
    [types, components],
  )
}

const factsOf = (types: readonly DescribedType[], components: Components): SchemaFacts => ({
  types,
  fieldsOf: (uid) => components.get(uid)?.attributes ?? [],
  nameOf: (uid) => components.get(uid)?.info.displayName ?? uid,
})
