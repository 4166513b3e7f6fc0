import { type ContentType, schemasService } from '../core-plugins/foundation/schemas/schemas.ts'
import { StartupError } from '../kernel/index.ts'
import { createService, type ServiceOptions } from '../service.ts'
import { defineCoreCommand } from './command.ts'
import { startSchemas } from './partial-service.ts'
import { formatTable } from './table.ts'

export const pluginsCommand = defineCoreCommand({
  name: 'plugins',
  summary: 'shows which plugins are on, with their content types, and which are off and why, in start order',
  example: 'plugins --json',
  hasJson: true,
  async run({ project }) {
    const plugins = (await createService(project)).plugins()
    const types = await typesByPlugin(project)
    const json = plugins.map((plugin) => ({ ...plugin, contentTypes: types.get(plugin.name) ?? [] }))
    const rows = json.map(({ name, description, active, reason = '', contentTypes }) => [
      name,
      active ? 'on' : 'off',
      active ? [description, ...typeList(contentTypes)].join(' ') : reason,
    ])
    return { text: formatTable(rows), json }
  },
})

function typeList(names: readonly string[]): string[] {
  return names.length === 0 ? [] : [`(content types: ${names.join(', ')})`]
}

/** Empty if the schema files are at fault, which the start and `doctor` tell: the list of plugins needs none. */
async function typesByPlugin(project: ServiceOptions): Promise<ReadonlyMap<string, readonly string[]>> {
  try {
    const kernel = await startSchemas(project)
    const { types } = kernel.get(schemasService)
    await kernel.stop()
    return ownedTypes([...types.values()])
  } catch (error) {
    if (error instanceof StartupError) return new Map()
    throw error
  }
}

function ownedTypes(types: readonly ContentType[]): ReadonlyMap<string, readonly string[]> {
  const owned = new Map<string, string[]>()
  for (const { name, plugin } of types) {
    if (plugin !== undefined) owned.set(plugin, [...(owned.get(plugin) ?? []), name])
  }
  return owned
}
