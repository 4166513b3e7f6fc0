import { relative, resolve } from 'node:path'
import { definePlugin, type Log, type StartupProblem } from '../../kernel/index.ts'
import { type Config, configService, settings } from '../config/config.ts'
import { databaseService, schemaRecordService, tables } from '../database/database.ts'
import { findEndingDrafts } from './ending-drafts.ts'
import { loadSchemas } from './load.ts'
import { readSchemaFiles, type SchemaFiles } from './read-files.ts'
import { contentTables, schemasDir, schemasService } from './schemas.ts'
import { tablesOf } from './tables.ts'

export const schemasPlugin = definePlugin({
  name: 'schemas',
  description: 'Reads content types and components from JSON files, checks them and declares their tables',
  uses: { config: configService },
  usesIfPresent: { database: databaseService, record: schemaRecordService },
  provides: [schemasService],
  register({ contribute }) {
    contribute(settings, schemasDir)
  },
  async init({ services: { config, database, record }, contribute, contributions, provide, log }) {
    const { files, problems } = await readFiles(config, log)
    const declared = loadSchemas(files, problems)
    const ending = database && record ? await findEndingDrafts(declared, database, record) : new Set<string>()
    const schemas = ending.size === 0 ? declared : loadSchemas(files, problems, ending)
    for (const table of tablesOf(schemas, contributions(contentTables))) contribute(tables, table)
    provide(schemasService, schemas)
  },
})

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
