import { adminCreateCommand, adminResetPasswordCommand } from './admin.ts'
import type { Command } from './command.ts'
import { createPluginCommand } from './create-plugin.ts'
import { createThemeCommand } from './create-theme.ts'
import { typesCommand } from './generate-types.ts'
import { pluginsCommand } from './plugins.ts'
import { prepareCommand } from './prepare.ts'
import { pruneCommand } from './prune.ts'
import { requestStagesCommand } from './request-stages.ts'
import { schemaFilesCommand } from './schema-files.ts'
import { settingsCommand } from './settings.ts'

/** The commands of the command line itself, in the order of its help. */
export const coreCommands: readonly Command[] = [
  typesCommand,
  schemaFilesCommand,
  prepareCommand,
  pruneCommand,
  pluginsCommand,
  requestStagesCommand,
  settingsCommand,
  createPluginCommand,
  createThemeCommand,
  adminCreateCommand,
  adminResetPasswordCommand,
]
