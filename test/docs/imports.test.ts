import assert from 'node:assert/strict'
import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { exportFile } from '../migrations/strapi-world.ts'
import { siteFile, uploads } from '../migrations/wordpress-world.ts'
import { runCommand } from '../support/command-line.ts'
import { withProject } from '../support/process.ts'
import { slow } from '../support/scope.ts'

/** The files that the pages speak of. */
const pages = {
  'import-from-strapi.md': { 'export.tar.gz': exportFile },
  'import-from-wordpress.md': { 'export.xml': siteFile, 'wp-content/uploads': uploads },
}

for (const [page, files] of Object.entries(pages)) {
  const text = readFileSync(join(import.meta.dirname, '../../docs', page), 'utf8')
  const commands = [...text.matchAll(/^ {4}npx mortise ([^#\n]+)/gm)].map(([, line = '']) =>
    line.trim().split(' '),
  )

  describe(`docs/${page}`, () => {
    it('has commands that bring everything in', slow, () =>
      withProject({ schemas: {} }, async (project) => {
        for (const [name, from] of Object.entries(files))
          cpSync(from, join(project.workingDirectory, name), { recursive: true })
        assert.equal(commands.length, 2)
        for (const command of commands) {
          const { code, stdout, stderr } = await runCommand(project, command)
          assert.equal(code, 0, stderr + stdout)
        }
      }),
    )

    it('names every option', async () => {
      const { coreCommands } = await import('../../cli/commands.ts')
      const command = coreCommands.find(({ name }) => name === commands[0]?.slice(0, 2).join(' '))
      const options = Object.keys(command?.options ?? {}).map(
        (name) => `| \`--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
      )
      assert.deepEqual(
        options.filter((option) => !text.includes(option)),
        [],
      )
    })
  })
}
