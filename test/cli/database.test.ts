import assert from 'node:assert/strict'
import { it } from 'node:test'
import { runCommand } from '../support/command-line.ts'
import { eachDatabase } from '../support/databases.ts'
import { withProject } from '../support/process.ts'

const typeWith = (attributes: object) => ({
  'note.json': {
    kind: 'collectionType',
    info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
    attributes,
  },
})

const title = { type: 'string' }

eachDatabase((database) => {
  it('makes the tables of a new database, and says what a change of the schemas would lose', () =>
    withProject(
      { database: database.name, schemas: typeWith({ title, subtitle: { type: 'string' } }) },
      async (project) => {
        const json = async (...args: string[]) => {
          const { code, stdout, stderr } = await runCommand(project, [...args, '--json'])
          assert.equal(code, 0, stderr)
          return JSON.parse(stdout)
        }
        assert.deepEqual(await json('database', 'status'), { dialect: database.name, tables: 0 })
        assert.match((await runCommand(project, ['backup', 'list'])).stderr, /run `mortise database sync`/)
        assert.ok((await json('database', 'sync')).applied.length > 20)
        assert.deepEqual(await json('database', 'preview'), [])

        project.write('schemas/note.json', JSON.stringify(typeWith({ title })['note.json']))
        const dropped = { change: 'drop-column', table: 'content_note', column: 'subtitle' }
        const isDropped = (change: object) =>
          Object.entries(dropped).every(([key, value]) => Reflect.get(change, key) === value)
        assert.ok((await json('database', 'preview')).some(isDropped))
        const safe = await runCommand(project, ['database', 'sync'])
        assert.match(
          safe.stdout,
          /Left undone 1:\ndrop-column +content_note\.subtitle +its values would be lost/,
        )
        const lost = await json('database', 'sync', '--allow-destructive')
        assert.ok(lost.applied.some(isDropped) && lost.pending.length === 0)
        assert.match((await runCommand(project, ['database', 'preview'])).stdout, /as the schemas say/)

        const wrong = await runCommand(project, ['database', 'sync', '--drafts', 'note=keep'])
        assert.deepEqual([wrong.code, wrong.stdout], [1, ''])
        assert.match(wrong.stderr, /--drafts must be like article=publish,page=delete, not note=keep/)
      },
    ))
})
