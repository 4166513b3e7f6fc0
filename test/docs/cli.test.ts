import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { coreCommands } from '../../cli/commands.ts'
import { runCommand } from '../support/command-line.ts'
import { withProject } from '../support/process.ts'

const guide = readFileSync(join(import.meta.dirname, '../../docs/cli.md'), 'utf8')

describe('docs/cli.md', () => {
  it('lists every command with its arguments', () => {
    const rows = coreCommands.map(({ name, summary, arguments: given = {} }) => {
      const usage = Object.entries(given).map(([key, { isOptional = false }]) =>
        isOptional ? `[${key}]` : `<${key}>`,
      )
      return `| \`${[name, ...usage].join(' ')}\` | ${summary} |`
    })
    const [, table = ''] = guide.split('|---|---|\n')
    assert.deepEqual(table.split('\n\n')[0]?.split('\n'), rows)
  })

  it('and so does --help', () =>
    withProject({}, async (project) => {
      const { stdout } = await runCommand(project, ['--help'])
      const listed = [...stdout.matchAll(/^ {2}([a-z][a-z-]*) /gm)].map(([, name]) => name)
      assert.deepEqual(listed, [...new Set(coreCommands.map(({ name }) => name.split(' ', 1)[0]))])
    }))

  it('every command has an example that is a call of it', () => {
    const wrong = coreCommands.filter(({ name, example = '' }) => !example.startsWith(name))
    assert.deepEqual(wrong, [])
  })
})
