import { StartupError, type StartupProblem } from '../../kernel/index.ts'
import { loadSchemas } from './load.ts'
import { readSchemaFiles } from './read-files.ts'

/**
 * Everything that would keep a service from starting with the files of a directory.
 * @throws Error of Node if the directory cannot be read
 */
export async function checkSchemaFiles(directory: string): Promise<readonly StartupProblem[]> {
  const { files, problems } = await readSchemaFiles(directory, 'schemas')
  try {
    loadSchemas(files, problems)
    return []
  } catch (error) {
    if (error instanceof StartupError) return error.problems
    throw error
  }
}
