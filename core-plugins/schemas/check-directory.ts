import { StartupError, type StartupProblem } from '../../kernel/index.ts'
import type { FieldTypes } from './field-type.ts'
import { loadSchemas } from './load.ts'
import { readSchemaFiles } from './read-files.ts'

/**
 * Every problem that would keep a service with these field types from starting with the files of a directory.
 * @throws Error of Node if the directory cannot be read
 */
export async function checkSchemaFiles(
  directory: string,
  fieldTypes: FieldTypes,
): Promise<readonly StartupProblem[]> {
  const { files, problems } = await readSchemaFiles(directory, 'schemas')
  try {
    loadSchemas(files, problems, { fieldTypes })
    return []
  } catch (error) {
    if (error instanceof StartupError) return error.problems
    throw error
  }
}
