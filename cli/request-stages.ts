import { requestStages } from '../core-plugins/http/http.ts'
import { defineCoreCommand } from './command.ts'
import { formatTable } from './table.ts'

export const requestStagesCommand = defineCoreCommand({
  name: 'request-stages',
  summary: 'shows the stages that every request passes, in order',
  example: 'request-stages',
  async run() {
    return formatTable(requestStages.map(({ name, summary }) => [name, summary]))
  },
})
