import {
  type ExtensionPoint,
  extensionPoint,
  PluginFault,
  type ServiceToken,
  service,
} from '../../../../kernel/index.ts'
import { type TableSpec, tableProblems } from '../../database/database.ts'
import type { ContentType } from '../content-type.ts'
import type { Endings } from '../endings.ts'
import { assertAnswers } from '../field-type-registry.ts'
import { inFile, type SchemaProblem } from '../files/file-problem.ts'
import { type IncompleteDrafts, incompleteDraftsText } from '../files/incomplete-drafts.ts'
import { type LoadOptions, readDrafts } from '../files/load.ts'
import { parseSchemaFiles, type SchemaTexts } from '../files/read-files.ts'
import type { Drafts, SchemaFile } from '../files/schema-source.ts'
import { buildSchemas } from '../model.ts'
import type { Schemas } from '../schemas-service.ts'

/** A problem with a content type that only a plugin can detect; `at` is the dotted path in the type's file. */
export interface TypeProblem {
  readonly type: string
  readonly at: string
  readonly message: string
  readonly remedy: string
}

/**
 * What a plugin requires of content types beyond the checks of the schemas plugin. The plugin itself refuses to start
 * with types that violate it; contribute it as well so that files can be tried before they are written.
 */
export type SchemaRule = (schemas: Schemas, tables: readonly TableSpec[]) => readonly TypeProblem[]

export const schemaRules: ExtensionPoint<SchemaRule> = extensionPoint('schemaRules')

/** The result of trying other schema files of the project. */
export interface TrialResult {
  /** Everything that would keep the service from starting. */
  readonly problems: readonly SchemaProblem[]
  /** What would not keep it from starting, but should be known before. */
  readonly warnings: readonly SchemaProblem[]
  /** The tables of the content; empty if there are problems. */
  readonly tables: readonly TableSpec[]
}

/** Tries schema files of the project without using them. */
export interface SchemaTrial {
  /** The names of the current tables of the content. */
  readonly tableNames: ReadonlySet<string>
  try(files: SchemaTexts): Promise<TrialResult>
}

export const schemaTrialService: ServiceToken<SchemaTrial> = service('schema-trial')

export interface TrialParts {
  /** The schema files of plugins, which apply in addition to those of the project. */
  readonly ofPlugins: readonly SchemaFile[]
  readonly known: LoadOptions
  /** The name of the schemas directory in messages. */
  readonly label: string
  readonly tableNames: ReadonlySet<string>
  readonly rules: () => readonly SchemaRule[]
  tablesOf(schemas: Schemas): readonly TableSpec[]
  /** Types that still have drafts or a trash although their file no longer enables them. */
  endings(schemas: Schemas): Promise<Endings>
  /** The schemas that the service runs with. */
  readonly current: Schemas
  incompleteDrafts(types: readonly ContentType[]): Promise<readonly IncompleteDrafts[]>
}

export function createSchemaTrial(parts: TrialParts): SchemaTrial {
  const { ofPlugins, known, label, tableNames } = parts
  return {
    tableNames,
    async try(texts) {
      const { files, problems: misplaced } = parseSchemaFiles(texts, label)
      const { drafts, problems } = readDrafts([...files, ...ofPlugins], known)
      if (misplaced.length + problems.length > 0) return failed(...misplaced, ...problems)
      try {
        return await complete(drafts, parts)
      } catch (error) {
        if (!(error instanceof PluginFault)) throw error
        return failed(faultOf(error))
      }
    },
  }
}

async function complete(drafts: Drafts, parts: TrialParts): Promise<TrialResult> {
  const declared = buildSchemas(drafts)
  assertAnswers(declared)
  const schemas = buildSchemas(drafts, await parts.endings(declared))
  const tables = parts.tablesOf(schemas)
  const problems = [
    ...parts.rules().flatMap((rule) => rule(schemas, tables).map((problem) => placed(problem, drafts))),
    ...tables.flatMap((table) => tableProblems(table).map((message) => unusable(table.name, message))),
  ]
  if (problems.length > 0) return failed(...problems)
  const warnings = await switchedOff(schemas, parts)
  return { problems, warnings: warnings.map((warning) => placed(warning, drafts)), tables }
}

const failed = (...problems: readonly SchemaProblem[]): TrialResult => ({
  problems,
  warnings: [],
  tables: [],
})

/** Types whose drafts would have to be complete from then on, with the number of incomplete ones. */
async function switchedOff(schemas: Schemas, { current, incompleteDrafts }: TrialParts) {
  const types = [...current.types.values()].filter(({ name, options }) => {
    const next = schemas.types.get(name)?.options
    return options.incompleteDrafts && next?.draftAndPublish === true && !next.incompleteDrafts
  })
  const counts = new Map((await incompleteDrafts(types)).map(({ type, count }) => [type, count]))
  return types.map(({ name }): TypeProblem => {
    const message = `is switched off, and ${incompleteDraftsText({ count: counts.get(name) ?? 0 })}`
    const remedy = 'they stay as they are and can be completed; none is published before it is complete'
    return { type: name, at: 'options.incompleteDrafts', message, remedy }
  })
}

function placed({ type, ...problem }: TypeProblem, { types }: Drafts): SchemaProblem {
  return inFile(types.get(type)?.origin ?? { path: `${type}.json` }, problem)
}

function unusable(table: string, message: string): SchemaProblem {
  return { subject: `the table ${table}`, message, remedy: 'choose other names' }
}

function faultOf({ plugin, message }: PluginFault): SchemaProblem {
  return { subject: `the plugin ${plugin}`, message, remedy: 'correct what it is used for', plugin }
}
