import assert from 'node:assert/strict'
import { it } from 'node:test'
import { openStrapi } from '../../core-plugins/administration/migrations/migrations.ts'
import { assertAllThere, expectedCounts, exportFile, truth } from '../migrations/strapi-world.ts'
import { runCommand } from '../support/command-line.ts'
import { eachDatabase } from '../support/databases.ts'
import { startProcess, withProject } from '../support/process.ts'
import type { Project } from '../support/project.ts'
import { slow } from '../support/scope.ts'

eachDatabase((database) => {
  it('brings in all that a Strapi has exported, once', slow, () =>
    withProject({ database: database.name, schemas: {} }, async (project) => {
      const report = await imported(project)
      const counts = Object.fromEntries(
        report.counts.map(({ subject, there, here }) => [subject, [there, here]]),
      )
      const both = (count: number) => [count, count]
      const expected = { ...expectedCounts, users: truth.users.length, files: truth.files.length, folders: 3 }
      assert.deepEqual(
        counts,
        Object.fromEntries(Object.entries(expected).map(([name, count]) => [name, both(count)])),
      )
      assert.deepEqual(report.problems, [])

      const admin = await startProcess({ project }).signIn()
      await assertAllThere(admin)
      await assertFolders(admin)
      await assertUuids(admin)
      const changes = async () =>
        (await admin.get('/api/content/article?sort=updated_at:desc&limit=1')).body.data
      const before = await changes()

      await imported(project)
      assert.deepEqual(await changes(), before, 'a second run changes nothing')
      await imported(project, '--again')
      await assertAllThere(admin)
    }),
  )
})

type Client = Awaited<ReturnType<ReturnType<typeof startProcess>['signIn']>>

async function assertFolders(admin: Client): Promise<void> {
  const { body } = await admin.get('/api/media-folders/tree')
  const names = body.data.map(({ name, children }: { name: string; children: { name: string }[] }) => [
    name,
    children.map((child) => child.name),
  ])
  assert.deepEqual(names, [
    ['Papers', []],
    ['Pictures', ['Places']],
  ])
  const { data } = (await admin.get('/api/media?search=picture-2.png')).body
  assert.equal(data[0].alt, 'Alternative of picture-2.png')
  assert.equal(data[0].caption, 'Caption of picture-2.png')
}

/** So that another environment that imports the same export has the same files. */
async function assertUuids(admin: Client): Promise<void> {
  const expected = new Map<string, string>()
  const source = await openStrapi(exportFile)
  for await (const { name, uuid } of source.files()) expected.set(name, uuid)
  await source.close()
  const query = 'limit=100&fields=cover&populate[cover][fields]=uuid,originalName'
  const { data } = (await admin.get(`/api/content/article?${query}`)).body
  const covers = data.map(({ cover }: { cover: { uuid: string; originalName: string } }) => cover)
  assert.ok(covers.length > 0)
  for (const { uuid, originalName } of covers) assert.equal(uuid, expected.get(originalName), originalName)
}

interface Report {
  readonly counts: readonly { subject: string; there: number; here: number }[]
  readonly problems: readonly unknown[]
}

async function imported(project: Project, ...options: string[]): Promise<Report> {
  const { code, stdout, stderr } = await runCommand(project, [
    'import',
    'strapi',
    exportFile,
    '--json',
    ...options,
  ])
  assert.equal(code, 0, stderr + stdout)
  return JSON.parse(stdout)
}
