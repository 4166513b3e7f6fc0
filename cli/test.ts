import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { CommandError } from '../core-plugins/panel/extensions/extensions.ts'
import { defineCoreCommand } from './command.ts'

/** Where a project has tests: in a folder of their own, and next to what they test. */
const folders = ['test', 'plugins', 'routes']
const testFile = /\.test\.[cm]?[jt]s$/

export const testCommand = defineCoreCommand({
  name: 'test',
  summary: 'runs the test files in test/, plugins/ and routes/, or those with a word in their path',
  example: 'test hello',
  arguments: { word: { summary: 'what the path of a test file has to contain', isOptional: true } },
  async run({ project: { workingDirectory }, arguments: { word = '' } }) {
    const files = folders
      .flatMap((folder) => testFilesIn(join(workingDirectory, folder)))
      .map((file) => relative(workingDirectory, file))
      .filter((file) => file.includes(word))
    if (files.length === 0) {
      throw new CommandError(
        `no file in ${folders.join('/, ')}/ ends in .test.ts or .test.js${word === '' ? '' : ` and has ${word} in its path`}`,
      )
    }
    // Listed here, since neither every shell nor every version of Node expands patterns.
    const args = [...translatorIn(workingDirectory), '--test', ...files]
    const child = spawn(process.execPath, args, { cwd: workingDirectory, stdio: 'inherit' })
    const [code] = await once(child, 'exit')
    return { text: '', json: null, isFailure: code !== 0 }
  },
})

function testFilesIn(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : testFilesIn(path)
      return testFile.test(entry.name) ? [path] : []
    })
    .sort()
}

/** The service comes without tsx, and tests in JavaScript need none. */
function translatorIn(folder: string): string[] {
  try {
    const tsx = createRequire(join(folder, 'package.json')).resolve('tsx')
    return ['--import', pathToFileURL(tsx).href]
  } catch {
    return []
  }
}
