import { prune } from '../launch/prune.mjs'
import { defineCoreCommand } from './command.ts'

export const pruneCommand = defineCoreCommand({
  name: 'prune',
  summary:
    'deletes binaries for other platforms and Node versions from node_modules; new projects do it after each install',
  example: 'prune',
  async run() {
    const bytes = prune(import.meta.filename)
    return `Deleted ${Math.round(bytes / 1e6)} MB from node_modules; after a change of Node, install again: npm ci`
  },
})
