import { PluginFault, StartupError, type StartupProblem } from '../../../../kernel/index.ts'
import { checkDrafts } from '../checks/check.ts'
import { type Declared, declareDrafts } from '../declare.ts'
import type { Endings } from '../endings.ts'
import { builtInFieldTypes } from '../field-types/built-in.ts'
import { buildSchemas } from '../model.ts'
import type { Schemas } from '../schemas-service.ts'
import type { SchemaProblem } from './file-problem.ts'
import type { SchemaFile } from './schema-source.ts'

/** Options for reading schema files. */
export interface LoadOptions extends Partial<Omit<Declared, 'files'>> {
  /** Content types that keep drafts or a trash although their file no longer enables it. */
  readonly endings?: Endings
}

/**
 * Builds the model from the files of the project, followed by those of plugins.
 * @throws PluginFault of the first plugin that caused a problem, with all of its problems
 * @throws StartupError with the given problems and those of all files
 */
export function loadSchemas(
  files: readonly SchemaFile[],
  known: readonly StartupProblem[] = [],
  options: LoadOptions = {},
): Schemas {
  const { drafts, problems } = readDrafts(files, options)
  const all: readonly SchemaProblem[] = [...known, ...problems]
  assertNoFault(all)
  if (all.length > 0) throw new StartupError('The schema files cannot be used:', all)
  return buildSchemas(drafts, options.endings)
}

/** The problems of all files, including those of plugins. */
export function findProblems(
  files: readonly SchemaFile[],
  options: LoadOptions = {},
): readonly SchemaProblem[] {
  return readDrafts(files, options).problems
}

/** The result of all files together, and all of its problems. */
export function readDrafts(files: readonly SchemaFile[], options: LoadOptions) {
  const { fieldTypes = builtInFieldTypes, switchedOff = new Map(), typeExtensions = [] } = options
  const { drafts, problems } = declareDrafts({ files, fieldTypes, switchedOff, typeExtensions })
  return { drafts, problems: [...problems, ...checkDrafts(drafts)] }
}

/** Reports problems of plugins first, since they may cause problems in the project's files. */
function assertNoFault(problems: readonly SchemaProblem[]): void {
  const plugin = problems.find((problem) => problem.plugin !== undefined)?.plugin
  if (plugin === undefined) return
  const own = problems.filter((problem) => problem.plugin === plugin)
  const lines = own.map(({ subject, message, remedy }) => `${subject}: ${message} → ${remedy}`)
  throw new PluginFault(plugin, new Error(`its schemas cannot be used: ${lines.join('; ')}`))
}
