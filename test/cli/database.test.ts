import assert from 'node:assert/strict'
import { it } from 'node:test'
import { runCommand } from '../support/command-line.ts'
import { eachDatabase } from '../support/databases.ts'
import { startProcess, withProject } from '../support/process.ts'
import { slow } from '../support/scope.ts'

const typeWith = (attributes: object) => ({
  'note.json': {
    kind: 'collectionType',
    info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
    attributes,
  },
})

const title = { type: 'string' }

const withOptions = (options: object) => {
  const [note] = Object.values(typeWith({ title: { ...title, required: true } }))
  return JSON.stringify({ ...note, options })
}

eachDatabase((database) => {
  it('decides about the drafts of types that have none any more', slow, () =>
    withProject({ database: database.name, schemas: typeWith({ title }) }, async (project) => {
      project.write('schemas/note.json', withOptions({ draftAndPublish: true, incompleteDrafts: true }))
      const service = startProcess({ project })
      const admin = await service.signIn()
      assert.equal((await admin.post('/api/content/note', {})).status, 201)
      await service.end('SIGTERM')
      project.write('schemas/note.json', withOptions({ draftAndPublish: true }))
      const { stdout } = await runCommand(project, ['database', 'preview'])
      assert.match(stdout, /^note: 1 draft lacks what is required; complete them before/m)
      project.write('schemas/note.json', withOptions({}))

      const sync = (...args: string[]) => runCommand(project, ['database', 'sync', ...args])
      const forced = await sync('--allow-destructive')
      assert.match(forced.stdout, /end-drafts +content_note\.published_at +1 entry that is not published/)
      assert.match((await sync('--drafts', 'page=delete')).stderr, /drafts\.page/)
      const decided = await sync('--drafts', 'note=delete', '--json')
      assert.equal(decided.code, 0, decided.stderr)
      const { pending } = JSON.parse(decided.stdout)
      assert.ok(!pending.some(({ change }: { change: string }) => change === 'end-drafts'))
    }),
  )

  it('decides about the deleted entries of types that have no trash any more', slow, () =>
    withProject({ database: database.name, schemas: typeWith({ title }) }, async (project) => {
      project.write('schemas/note.json', withOptions({ softDelete: true }))
      const service = startProcess({ project })
      const admin = await service.signIn()
      for (const title of ['kept', 'deleted']) {
        assert.equal((await admin.post('/api/content/note', { title })).status, 201)
      }
      assert.equal((await admin.delete('/api/content/note/2')).status, 200)
      await service.end('SIGTERM')
      project.write('schemas/note.json', withOptions({}))

      const sync = (...args: string[]) => runCommand(project, ['database', 'sync', ...args])
      assert.match(
        (await sync('--allow-destructive')).stdout,
        /end-trash +content_note\.deleted_at +1 deleted entry would become public/,
      )
      assert.match((await sync('--trash', 'page=delete')).stderr, /trash\.page/)
      assert.match((await sync('--trash', 'note=publish')).stderr, /--trash must be like article=/)
      const decided = await sync('--trash', 'note=restore', '--json')
      assert.equal(decided.code, 0, decided.stderr)
      const { pending } = JSON.parse(decided.stdout)
      assert.ok(!pending.some(({ change }: { change: string }) => change === 'end-trash'))
      const later = startProcess({ project })
      const { body } = await (await later.signIn()).get('/api/content/note?sort=id')
      assert.deepEqual(
        body.data.map((note: { title: string }) => note.title),
        ['kept', 'deleted'],
      )
      await later.end('SIGTERM')
    }),
  )

  it('makes the tables of a new database, and says what a change of the schemas would lose', slow, () =>
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
    ),
  )
})
