import { Type } from 'typebox'
import { isObject } from '../../../kernel/index.ts'
import type { Auth } from '../../accounts/auth/auth.ts'
import {
  type ListedItem,
  listedSection,
  type SectionWork,
  scopedRights,
  type TransferSection,
  type Value,
} from '../../foundation/sections/sections.ts'
import { schemaPathPattern } from './changes.ts'
import type { SchemaFiles } from './create-schema-files.ts'
import { presentFiles } from './present.ts'
import type { RecordWrite } from './routes.ts'

export interface SchemaSectionDeps {
  readonly auth: Auth
  readonly schemaFiles: SchemaFiles
  readonly isWritable: boolean
  /** The setting that forbids writes, for messages. */
  readonly reason: string
  readonly record: RecordWrite
}

/**
 * The schema files in transfers, by path. A step of its own: they are written before the transaction and used from the next
 * start, whose sync does not delete data on its own.
 */
export function schemaSection(deps: SchemaSectionDeps): TransferSection {
  const { auth, schemaFiles, isWritable, reason } = deps
  const nothingLeft = async () => undefined
  const rights = scopedRights(auth, 'admin:schemas')
  const section = listedSection({
    name: 'schemas',
    ...rights,
    refusal: (principal) => rights.refusal(principal) ?? (isWritable ? undefined : reason),
    valueSchema: Type.Object({}),
    keyPattern: new RegExp(schemaPathPattern),
    async list() {
      const { files } = await schemaFiles.read()
      return presentFiles(files).flatMap(({ path, content }): ListedItem[] =>
        isObject(content) ? [{ key: path, label: null, value: content, changedAt: null }] : [],
      )
    },
    put: nothingLeft,
    remove: nothingLeft,
  })
  return {
    ...section,
    isStep: true,
    async begin(work) {
      const changes = await changesOf(work)
      const { version } = await schemaFiles.read()
      const checked = await schemaFiles.write(changes, `"${version}"`)
      await deps.record(checked, work)
      return { put: async () => [], remove: nothingLeft }
    },
  }
}

async function changesOf({ puts, removals }: SectionWork): Promise<Record<string, Value | null>> {
  const changes: Record<string, Value | null> = {}
  for await (const { key, value } of puts()) changes[key] = value
  for (const key of removals) changes[key] = null
  return changes
}
