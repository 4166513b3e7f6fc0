import { type ServiceToken, type StartupProblem, service } from '../../../../kernel/index.ts'
import { findProblems, type LoadOptions } from '../files/load.ts'
import { readSchemaFiles } from '../files/read-files.ts'
import type { SchemaFile } from '../files/schema-source.ts'

/** Checks the schema files of a directory other than the one in use. */
export interface SchemaCheck {
  /**
   * Returns every problem that would keep this service, with its plugins, from starting with the files of a
   * directory.
   * @throws Error of Node if the directory cannot be read
   */
  check(directory: string): Promise<readonly StartupProblem[]>
}

export const schemaCheckService: ServiceToken<SchemaCheck> = service('schema-check')

/** @param ofPlugins the schema files of plugins, which apply in addition to those of the directory */
export function createSchemaCheck(
  ofPlugins: readonly SchemaFile[] = [],
  options: LoadOptions = {},
): SchemaCheck {
  return {
    async check(directory) {
      const { files, problems } = await readSchemaFiles(directory, 'schemas')
      return [...problems, ...findProblems([...files, ...ofPlugins], options)]
    },
  }
}
