import { prepare } from '../launch/service.mjs'
import { defineCoreCommand } from './command.ts'

export const prepareCommand = defineCoreCommand({
  name: 'prepare',
  summary: 'translates the scripts of the project ahead of its first start, for images',
  example: 'prepare',
  async run({ project }) {
    await prepare(project.workingDirectory)
    return 'The scripts are translated'
  },
})
