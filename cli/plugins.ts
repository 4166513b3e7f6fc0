import { createService } from '../service.ts'
import { defineCoreCommand } from './command.ts'
import { formatTable } from './table.ts'

export const pluginsCommand = defineCoreCommand({
  name: 'plugins',
  summary: 'shows which plugins are on, which are off and why, in start order',
  example: 'plugins --json',
  hasJson: true,
  async run({ project }) {
    const plugins = (await createService(project)).plugins()
    const rows = plugins.map(({ name, description, active, reason = '' }) => [
      name,
      active ? 'on' : 'off',
      active ? description : reason,
    ])
    return { text: formatTable(rows), json: plugins }
  },
})
