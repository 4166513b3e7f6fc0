import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FieldTypes } from '../field-type.ts'
import { editorSchema, type FileKind, fileSchemas } from './file-schema.ts'

/** The folder in the schemas directory that the `$schema` of schema files refers to. */
const editorSchemaFolder = '.schema'

/** The JSON Schemas with which editors complete and check schema files: text by file name. */
export function editorSchemaFiles(fieldTypes: FieldTypes): ReadonlyMap<string, string> {
  const kinds = Object.keys(fileSchemas) as FileKind[]
  return new Map(
    kinds.map((kind) => [`${kind}.json`, `${JSON.stringify(editorSchema(kind, fieldTypes), null, 2)}\n`]),
  )
}

/** Writes them into `.schema` of a schemas directory; returns their paths. */
export async function writeEditorSchemas(
  schemasDirectory: string,
  fieldTypes: FieldTypes,
): Promise<string[]> {
  const folder = join(schemasDirectory, editorSchemaFolder)
  await mkdir(folder, { recursive: true })
  return Promise.all(
    [...editorSchemaFiles(fieldTypes)].map(async ([name, text]) => {
      await writeFile(join(folder, name), text)
      return join(folder, name)
    }),
  )
}
