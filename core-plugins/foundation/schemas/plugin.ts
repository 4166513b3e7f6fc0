import { definePlugin, type Log, type PluginContext, type StartupProblem } from '../../../kernel/index.ts'
import { type Config, configService, settings } from '../config/config.ts'
import { databaseService, schemaRecordService, tables } from '../database/database.ts'
import { createSchemaCheck, schemaCheckService } from './checks/schema-check.ts'
import { createSchemaTrial, schemaRules, schemaTrialService } from './checks/schema-trial.ts'
import { type Endings, findEndings, noEndings } from './endings.ts'
import { fieldTypes } from './field-type.ts'
import { assertAnswers, assertRegistered, registerFieldTypes } from './field-type-registry.ts'
import { findIncompleteDrafts } from './files/incomplete-drafts.ts'
import { loadSchemas } from './files/load.ts'
import { readSchemaFiles, type SchemaFiles } from './files/read-files.ts'
import {
  assertRead,
  type ContributedSchemas,
  readContributedFiles,
  typeExtendings,
} from './plugins/contributed-schemas.ts'
import { schemaFolders, typeExtensions } from './plugins/schema-contributions.ts'
import type { Schemas } from './schemas-service.ts'
import { contentTables, schemasService } from './schemas-service.ts'
import { freeNames, schemasDir, schemasFolderOf } from './settings.ts'
import { tablesOf } from './tables.ts'

export const schemasPlugin = definePlugin({
  name: 'schemas',
  description: 'Reads content types and components from JSON files, checks them and declares their tables',
  uses: { config: configService },
  usesIfPresent: { database: databaseService, record: schemaRecordService },
  provides: [schemasService, schemaCheckService, schemaTrialService],
  points: [fieldTypes, contentTables, schemaFolders, schemaRules, typeExtensions],
  register({ contribute }) {
    contribute(settings, schemasDir)
    contribute(settings, freeNames)
  },
  async init({ services: { config, database, record }, provide, log, ...context }) {
    const { contribute, contributions, contributionsByPlugin, switchedOff } = context
    const contributed = contributedSchemas(context)
    const reading = { workingDirectory: config.workingDirectory, freeNames: config.get(freeNames) }
    const known = {
      fieldTypes: registerFieldTypes(contributionsByPlugin(fieldTypes)),
      switchedOff,
      typeExtensions: typeExtendings(contributed.extensions, reading),
    }
    const ofPlugins = await readContributedFiles(contributed.folders, reading)
    const { files, problems } = await readFiles(config, log)
    const all = [...files, ...ofPlugins]
    const declared = loadSchemas(all, problems, known)
    const endingsOf = async (each: Schemas): Promise<Endings> =>
      database && record ? findEndings(each, database, record) : noEndings
    const endings = await endingsOf(declared)
    const isEnding = endings.drafts.size + endings.trash.size > 0
    const schemas = isEnding ? loadSchemas(all, problems, { ...known, endings }) : declared
    const contentTablesOf = (each: Schemas) => tablesOf(each, contributionsByPlugin(contentTables))
    const made = contentTablesOf(schemas)
    for (const table of made) contribute(tables, table)
    provide(schemasService, schemas)
    provide(schemaCheckService, createSchemaCheck(ofPlugins, known))
    provide(
      schemaTrialService,
      createSchemaTrial({
        ...{ ofPlugins, known, label: schemasFolderOf(config).label },
        tableNames: new Set(made.map(({ name }) => name)),
        rules: () => contributions(schemaRules),
        tablesOf: contentTablesOf,
        endings: endingsOf,
        current: schemas,
        incompleteDrafts: async (types) =>
          database && record ? findIncompleteDrafts(types, database, record) : [],
      }),
    )
    return { schemas, contributed }
  },
  boot({ state: { schemas, contributed }, ...context }) {
    assertRead(contributedSchemas(context), contributed)
    assertRegistered(context.contributionsByPlugin(fieldTypes), schemas.fieldTypes)
    assertAnswers(schemas)
  },
})

function contributedSchemas({
  contributionsByPlugin,
}: Pick<PluginContext, 'contributionsByPlugin'>): ContributedSchemas {
  return {
    folders: contributionsByPlugin(schemaFolders),
    extensions: contributionsByPlugin(typeExtensions),
  }
}

async function readFiles(config: Config, log: Log): Promise<SchemaFiles> {
  const { directory, label } = schemasFolderOf(config)
  try {
    return await readSchemaFiles(directory, label)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
    if (config.sourceOf(schemasDir) !== 'default') return { files: [], problems: [missingDirectory(config)] }
    log.warn({ directory }, 'there is no schemas directory, so there are no content types of the project')
    return { files: [], problems: [] }
  }
}

function missingDirectory(config: Config): StartupProblem {
  return {
    subject: config.envNameOf(schemasDir),
    message: `names ${config.get(schemasDir)}, which is no directory`,
    remedy: 'create it, or correct the path',
  }
}
