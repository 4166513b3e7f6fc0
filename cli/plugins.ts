import { createService } from '../service.ts'
import type { Command } from './command.ts'
import { formatTable } from './table.ts'

export const pluginsCommand: Command = {
  usage: '',
  summary: 'shows which plugins are on, which are off and why, in start order',
  async run(project) {
    const kernel = await createService(project)
    const rows = kernel
      .plugins()
      .map(({ name, description, active, reason = '' }) => [
        name,
        active ? 'on' : 'off',
        active ? description : reason,
      ])
    return formatTable(rows)
  },
}
