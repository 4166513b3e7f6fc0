import { requestStages } from '../core-plugins/http/http.ts'
import type { Command } from './command.ts'
import { formatTable } from './table.ts'

export const requestStagesCommand: Command = {
  usage: '',
  summary: 'shows the stages that every request passes, in order',
  async run() {
    return formatTable(requestStages.map(({ name, summary }) => [name, summary]))
  },
}
