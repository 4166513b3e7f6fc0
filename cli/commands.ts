import { adminCreateCommand, adminResetPasswordCommand } from './admin.ts'
import {
  backupCreateCommand,
  backupDownloadCommand,
  backupListCommand,
  backupRestoreCommand,
  backupUploadCommand,
} from './backup.ts'
import type { Command } from './command.ts'
import { contentExportCommand, contentImportCommand } from './content.ts'
import { createPluginCommand } from './create-plugin.ts'
import { createThemeCommand } from './create-theme.ts'
import { databasePreviewCommand, databaseStatusCommand, databaseSyncCommand } from './database.ts'
import { doctorCommand } from './doctor.ts'
import { typesCommand } from './generate-types.ts'
import { graphqlSchemaCommand } from './graphql-schema.ts'
import { importStrapiCommand } from './import-strapi.ts'
import { importWordpressCommand } from './import-wordpress.ts'
import { initCommand } from './init.ts'
import { openapiCommand } from './openapi.ts'
import { pipelineCommand } from './pipeline.ts'
import { pluginsCommand } from './plugins.ts'
import { prepareCommand } from './prepare.ts'
import { pruneCommand } from './prune.ts'
import { schemaFilesCommand } from './schema-files.ts'
import { settingsCommand } from './settings.ts'
import { devCommand, startCommand } from './start.ts'
import { testCommand } from './test.ts'
import {
  transferDiffCommand,
  transferPullCommand,
  transferPushCommand,
  transferRenewCommand,
} from './transfer.ts'

/** The commands of the command line itself, in the order of its help. */
export const coreCommands: readonly Command[] = [
  devCommand,
  startCommand,
  testCommand,
  initCommand,
  doctorCommand,
  typesCommand,
  schemaFilesCommand,
  prepareCommand,
  pruneCommand,
  openapiCommand,
  graphqlSchemaCommand,
  pluginsCommand,
  pipelineCommand,
  settingsCommand,
  createPluginCommand,
  createThemeCommand,
  adminCreateCommand,
  adminResetPasswordCommand,
  databaseStatusCommand,
  databasePreviewCommand,
  databaseSyncCommand,
  contentImportCommand,
  contentExportCommand,
  backupCreateCommand,
  backupListCommand,
  backupRestoreCommand,
  backupUploadCommand,
  backupDownloadCommand,
  transferDiffCommand,
  transferPushCommand,
  transferPullCommand,
  transferRenewCommand,
  importStrapiCommand,
  importWordpressCommand,
]
