import { prepare } from '../launch/service.mjs'
import { assemble } from '../service.ts'
import { defineCoreCommand } from './command.ts'

export const prepareCommand = defineCoreCommand({
  name: 'prepare',
  summary:
    'translates the scripts of the project and of plugins from npm ahead of the first start, for images',
  example: 'prepare',
  async run({ project }) {
    await prepare(project.workingDirectory)
    // Scripts of packages are translated when they are loaded.
    await assemble(project)
    return 'The scripts are translated'
  },
})
