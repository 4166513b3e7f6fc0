import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { SchemaFiles } from '../../../../../../../client/admin.ts'
import { useAccess } from '../../../ground/access/access.ts'
import { admin } from '../../../ground/api/admin.ts'
import { components } from '../../../ground/api/components.ts'
import { contentTypes } from '../../../ground/api/content-types.ts'
import { filesOf, useDraft } from '../draft/draft.ts'
import type { Files } from '../draft/file-content.ts'
import { type Owner, ownersOf } from './owner.ts'

/** How often to poll whether the service has restarted with the written files. */
const waitMs = 1_000

export const schemaFiles = queryOptions({
  queryKey: ['schema-files'],
  queryFn: ({ signal }) => admin.schemaFiles.read({ signal }),
  refetchInterval: ({ state }) => (state.data?.isInUse === false ? waitMs : false),
})

/** The model including unsaved changes. */
export interface Model {
  readonly stored: SchemaFiles
  readonly files: Files
  readonly types: readonly Owner[]
  readonly components: readonly Owner[]
  /** Whether the user may change it in this environment. */
  readonly mayChange: boolean
}

/** The model; undefined while loading, or with the error if loading failed. */
export function useModel(): { readonly model: Model | undefined; readonly error: Error | null } {
  const draft = useDraft()
  const files = useQuery(schemaFiles)
  const described = useQuery(contentTypes)
  const describedComponents = useQuery(components)
  const mayWrite = useAccess().mayArea('schemas', 'write')
  const model = useMemo(() => {
    if (files.data === undefined || described.data === undefined) return undefined
    const stored = draft.base ?? files.data
    const current = draft.base === undefined ? filesOf(stored) : draft.files
    return {
      stored,
      files: current,
      types: ownersOf('type', described.data, { stored, files: current }),
      components: ownersOf('component', describedComponents.data ?? [], { stored, files: current }),
      mayChange: mayWrite && stored.isWritable,
    }
  }, [draft, files.data, described.data, describedComponents.data, mayWrite])
  return { model, error: files.error ?? described.error }
}
