import { relative, resolve } from 'node:path'
import { definePlugin, type Log, type StartupProblem } from '../../kernel/index.ts'
import { type Config, configService, settings } from '../config/config.ts'
import { databaseService, schemaRecordService, tables } from '../database/database.ts'
import { findEndingDrafts } from './ending-drafts.ts'
import { fieldTypes } from './field-type.ts'
import { assertAnswers, assertRegistered, registerFieldTypes } from './field-type-registry.ts'
import { loadSchemas } from './load.ts'
import { readSchemaFiles, type SchemaFiles } from './read-files.ts'
import { schemasDir } from './schemas-dir.ts'
import { contentTables, schemasService } from './schemas-service.ts'
import { tablesOf } from './tables.ts'

export const schemasPlugin = definePlugin({
  name: 'schemas',
  description: 'Reads content types and components from JSON files, checks them and declares their tables',
  uses: { config: configService },
  usesIfPresent: { database: databaseService, record: schemaRecordService },
  provides: [schemasService],
  points: [fieldTypes, contentTables],
  register({ contribute }) {
    contribute(settings, schemasDir)
  },
  async init({ services: { config, database, record }, provide, log, ...context }) {
    const { contribute, contributions, contributionsByPlugin, switchedOff } = context
    const known = { fieldTypes: registerFieldTypes(contributionsByPlugin(fieldTypes)), switchedOff }
    const { files, problems } = await readFiles(config, log)
    const declared = loadSchemas(files, problems, known)
    const endingDrafts = database && record ? await findEndingDrafts(declared, database, record) : none
    const schemas =
      endingDrafts.size === 0 ? declared : loadSchemas(files, problems, { ...known, endingDrafts })
    for (const table of tablesOf(schemas, contributions(contentTables))) contribute(tables, table)
    provide(schemasService, schemas)
    return schemas
  },
  boot({ state: schemas, contributionsByPlugin }) {
    assertRegistered(contributionsByPlugin(fieldTypes), schemas.fieldTypes)
    assertAnswers(schemas)
  },
})

const none: ReadonlySet<string> = new Set()

async function readFiles(config: Config, log: Log): Promise<SchemaFiles> {
  const directory = resolve(config.workingDirectory, config.get(schemasDir))
  const label = relative(config.workingDirectory, directory) || '.'
  try {
    return await readSchemaFiles(directory, label)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
    if (config.sourceOf(schemasDir) !== 'default') return { files: [], problems: [missingDirectory(config)] }
    log.warn({ directory }, 'there is no schemas directory, so there are no content types')
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
