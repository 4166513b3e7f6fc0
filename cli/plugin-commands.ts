import { operator } from '../core-plugins/accounts/auth/auth.ts'
import {
  type AnyPluginCommand,
  CommandError,
  type CommandResult,
  commands,
} from '../core-plugins/panel/extensions/extensions.ts'
import { StartupError, silentLog } from '../kernel/index.ts'
import type { ServiceOptions } from '../service.ts'
import type { Command } from './command.ts'
import { readDeclarations, startServices } from './partial-service.ts'

/** The commands of plugins, and why some may be missing. */
export interface PluginCommands {
  readonly commands: readonly Command[]
  /** Set if the project cannot be read. */
  readonly problem?: string
  /** Why there is no command of this name, if its plugin is there and off. */
  whyMissing(name: string): string | undefined
}

/** The plugins say what is wrong with them where they are asked to do something. */
const quietLog = { ...silentLog, level: 'silent' }

/** Commands of the project's plugins. Whatever is wrong with a plugin only costs its own commands. */
export async function findPluginCommands(project: ServiceOptions): Promise<PluginCommands> {
  const found = new Map<string, Command>()
  try {
    const plugins = await readDeclarations({ ...project, log: quietLog }, ({ contributionsByPlugin }) => {
      for (const { plugin, value } of contributionsByPlugin(commands)) {
        if (!found.has(value.name)) found.set(value.name, commandOf(plugin, value))
      }
    })
    const off = new Map(plugins.filter(({ active }) => !active).map(({ name, reason }) => [name, reason]))
    return {
      commands: [...found.values()],
      whyMissing(name) {
        const [space = ''] = name.split(':', 1)
        return off.has(space)
          ? `there is no command ${name}, since the plugin ${space} is off: ${off.get(space)}`
          : undefined
      },
    }
  } catch (error) {
    if (!(error instanceof StartupError)) throw error
    const problem = error.message.trimEnd()
    return { commands: [], problem, whyMissing: () => problem }
  }
}

function commandOf(plugin: string, command: AnyPluginCommand): Command {
  return {
    ...command,
    run: ({ project, terminal: _, ...input }) => runIn(project, { plugin, command, input }),
  }
}

interface Call {
  readonly plugin: string
  readonly command: AnyPluginCommand
  readonly input: Readonly<Record<string, unknown>>
}

async function runIn(project: ServiceOptions, { plugin, command, input }: Call) {
  const kernel = await startServices(project)
  try {
    const status = kernel.plugins().find(({ name }) => name === plugin)
    if (status?.active !== true) {
      throw new CommandError(`the plugin ${plugin} cannot start: ${status?.reason ?? 'it is gone'}`)
    }
    const services = Object.entries(command.uses ?? {}).map(([name, token]) => [name, kernel.get(token)])
    const log = project.log.child({ plugin })
    const context = { ...input, services: Object.fromEntries(services), principal: operator, log }
    return checkedResult(command.name, await command.run(context))
  } finally {
    await kernel.stop()
  }
}

/** @throws CommandError if a plugin answers what cannot be printed */
function checkedResult(name: string, result: CommandResult | undefined): CommandResult | undefined {
  const text = typeof result === 'object' && result !== null ? result.text : result
  if (text === undefined || typeof text === 'string') return result
  throw new CommandError(`the command ${name} must answer a text, or { text, json }, or nothing`)
}
