import { parseArgs } from 'node:util'
import { loadDotEnv } from '../core-plugins/config/config.ts'
import { createLog } from '../core-plugins/log/log.ts'
import { StartupError } from '../kernel/index.ts'
import type { ServiceOptions } from '../service.ts'
import { adminCommand } from './admin.ts'
import { type Arguments, type Command, UsageError } from './command.ts'
import { schemaFilesCommand, typesCommand } from './content-types.ts'
import { createPluginCommand, createThemeCommand } from './create-plugin.ts'
import { pluginsCommand } from './plugins.ts'
import { requestStagesCommand } from './request-stages.ts'
import { settingsCommand } from './settings.ts'
import { formatTable } from './table.ts'

const commands = new Map<string, Command>([
  ['plugins', pluginsCommand],
  ['settings', settingsCommand],
  ['request-stages', requestStagesCommand],
  ['types', typesCommand],
  ['schema-files', schemaFilesCommand],
  ['admin', adminCommand],
  ['create-plugin', createPluginCommand],
  ['create-theme', createThemeCommand],
])

function help(): string {
  const rows = [...commands].map(([name, { usage, summary }]) => [`  ${name} ${usage}`, summary])
  return `Usage: npm run mortise -- <command>\n\n${formatTable(rows)}`
}

async function readProject(): Promise<ServiceOptions> {
  const workingDirectory = process.cwd()
  const env = await loadDotEnv({ workingDirectory, env: process.env })
  return { env, workingDirectory, log: await createLog({ ...env, LOG_LEVEL: 'warn' }) }
}

async function run(): Promise<string> {
  const [name = '', ...args] = process.argv.slice(2)
  if (name === '' || name.startsWith('--help')) return help()
  const command = commands.get(name)
  if (command === undefined) throw new UsageError(`unknown command ${name}\n\n${help()}`)
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { help: { type: 'boolean' }, ...command.options },
  })
  if (values.help) return help()
  const { maxArguments = 1 } = command
  if (positionals.length > maxArguments) {
    const most = maxArguments === 1 ? 'one argument' : `${maxArguments} arguments`
    throw new UsageError(`${name} takes no more than ${most}`)
  }
  const options = values as Arguments['options']
  return command.run(await readProject(), positionals[0], { positionals, options })
}

try {
  console.log(await run())
} catch (error) {
  // Both are meant for whoever typed the command and has no use for a stack trace.
  const isExpected = error instanceof UsageError || error instanceof StartupError || isParseError(error)
  console.error(isExpected ? (error as Error).message : error)
  process.exitCode = 1
}

function isParseError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
}
