import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { contentService, defineExtension, defineRoute, routes, service, Type } from 'mortise/plugin'
import {
  type Answer,
  expectStatus,
  StartupError,
  startTestService,
  type TestService,
  type TestServiceOptions,
  until,
} from 'mortise/testing'

const note = {
  kind: 'collectionType',
  info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
  options: { draftAndPublish: true },
  attributes: { text: { type: 'string', required: true } },
}
const schemas = { 'note.json': note }

const greeter = defineExtension({
  name: 'greeter',
  description: 'Says hello',
  configSchema: Type.Object({ greeting: Type.String({ title: 'Greeting', default: 'Hello' }) }),
  register({ config, contribute, log }) {
    contribute(
      routes,
      defineRoute({
        name: 'greeter:hello.read',
        method: 'GET',
        path: '/hello',
        summary: 'Says hello',
        access: 'open',
        handler() {
          log.info({ greeting: config.greeting }, 'greeted')
          return { message: config.greeting }
        },
      }),
    )
  },
})

/** Runs `use` with a service of its own. */
async function withService<T>(options: TestServiceOptions, use: (service: TestService) => Promise<T>) {
  const service = await startTestService(options)
  try {
    return await use(service)
  } finally {
    await service.stop()
  }
}

/** Runs `use` with a folder that holds these files. */
async function withFiles(files: Record<string, string>, use: (folder: string) => Promise<void>) {
  const folder = mkdtempSync(join(tmpdir(), 'mortise-project-'))
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
    await use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

describe('mortise/testing', () => {
  let service: TestService
  const temporaryBefore = process.env.TMPDIR
  before(async () => {
    // So that `testFolders` lists those of this file only.
    process.env.TMPDIR = mkdtempSync(join(tmpdir(), 'mortise-kit-'))
    service = await startTestService({ schemas, plugins: [greeter] })
  })
  after(async () => {
    await service.stop()
    rmSync(tmpdir(), { recursive: true })
    if (temporaryBefore === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = temporaryBefore
  })

  it('creates entries, published or not', async () => {
    const draft = await service.create('note', { text: 'draft' })
    const published = await service.create('note', { text: 'published' }, { publish: true })
    assert.equal(draft.published_at, null)
    assert.notEqual(published.published_at, null)
    const read = await service.admin.get('/api/content/note?sort=id&fields=text')
    assert.deepEqual(
      expectStatus(read, 200).body.data.map(({ text }: { text: string }) => text),
      ['draft', 'published'],
    )
  })

  it('says what was wrong with an entry', async () => {
    await assert.rejects(service.create('note', {}), /status 400 instead of 201: .*"path":"text"/)
  })

  it('creates accounts with the rights of a role, or of permissions', async () => {
    const { id } = await service.create('note', { text: 'a' }, { publish: true })
    const statusesFor = async (account: Awaited<ReturnType<TestService['createAdminUser']>>) => [
      (await account.client.get(`/api/content/note/${id}`)).status,
      (await account.client.put(`/api/content/note/${id}`, { text: 'b' })).status,
    ]
    const reading = { permissions: { content: { note: { read: true } } } }
    assert.deepEqual(
      [
        await statusesFor(await service.createAdminUser({ role: 'editor' })),
        await statusesFor(await service.createAdminUser(reading)),
        await statusesFor(await service.createContentUser()),
        await statusesFor(await service.createContentUser(reading)),
      ],
      [
        [200, 200],
        [200, 403],
        [403, 403],
        [200, 403],
      ],
    )
  })

  it('creates tokens, and clients for them', async () => {
    const { token, client } = await service.createToken('content:read')
    for (const reader of [client, service.withToken(token)]) {
      expectStatus(await reader.get('/api/content/note'), 200)
      expectStatus(await reader.post('/api/content/note', { text: 'x' }), 403)
    }
    expectStatus(await service.withToken('wrong').get('/api/content/note'), 401)
  })

  it('sets the permissions of a role', async () => {
    expectStatus(await service.anonymous.get('/api/content/note'), 401)
    await service.permit('public', { content: { note: { read: true } } })
    expectStatus(await service.anonymous.get('/api/content/note'), 200)
    await assert.rejects(service.permit('nobody', {}), /there is no role nobody, only super-admin, /)
  })

  it('mounts plugins as those of a project, and records what they log', async () => {
    const { body }: Answer<{ data: { message: string } }> =
      await service.anonymous.get('/api/x/greeter/hello')
    assert.deepEqual(body.data, { message: 'Hello' })
    await until(() => service.logLines.some(({ message }) => message === 'greeted'))
    const line = service.logLines.find(({ message }) => message === 'greeted')
    assert.deepEqual(line, { level: 'info', message: 'greeted', greeting: 'Hello', plugin: 'greeter' })
  })

  it('hands out services', async () => {
    const { id } = await service.create('note', { text: 'a' }, { publish: true })
    const anybody = { kind: 'anonymous' } as const
    assert.equal((await service.get(contentService).find('note', id, '', anybody))?.entry.id, id)
    assert.throws(() => service.get(serviceOfNobody), /nobodys/)
  })

  it('stops once, however often it is asked, and leaves nothing behind', async () => {
    const before = testFolders()
    const stopped = await startTestService()
    const [folder = ''] = testFolders().filter((name) => !before.includes(name))
    assert.ok(existsSync(join(tmpdir(), folder, 'content.db')))
    await Promise.all([stopped.stop(), stopped.stop()])
    await stopped.stop()
    assert.ok(!existsSync(join(tmpdir(), folder)))
    await assert.rejects(fetch(`${stopped.url}/api/livez`))
  })

  it('refuses to start with a plugin that fails, and names everything wrong with it', async () => {
    const before = testFolders()
    const broken = { ...greeter, name: 'Bad Name', description: '' }
    await assert.rejects(startTestService({ plugins: [broken] }), (error: Error) => {
      assert.ok(error instanceof StartupError)
      assert.match(error.message, /name must be in kebab-case.*; description must say/)
      return true
    })
    assert.deepEqual(testFolders(), before)
    const tolerant = { plugins: [broken], config: { strictPlugins: false } }
    await withService(tolerant, async ({ anonymous }) => {
      expectStatus(await anonymous.get('/api/livez'), 200)
    })
  })

  it('takes the config of a plugin, and variables before it', async () => {
    const config = { plugins: { greeter: { greeting: 'Good day' } } }
    const greetingOf = async ({ anonymous }: TestService) =>
      (await anonymous.get('/api/x/greeter/hello')).body.data.message
    assert.equal(await withService({ plugins: [greeter], config }, greetingOf), 'Good day')
    const env = { SVC_PLUGINS_GREETER_GREETING: 'Hi' }
    assert.equal(await withService({ plugins: [greeter], config, env }, greetingOf), 'Hi')
    const off = { plugins: { greeter: false } }
    const statusOf = async ({ anonymous }: TestService) =>
      (await anonymous.get('/api/x/greeter/hello')).status
    assert.equal(await withService({ plugins: [greeter], config: off }, statusOf), 404)
  })

  it('follows another prefix of the API', async () => {
    const env = { SVC_API_PREFIX: '/v1' }
    await withService({ schemas, env }, async (moved) => {
      const { id } = await moved.create('note', { text: 'a' }, { publish: true })
      const { client } = await moved.createAdminUser({ role: 'editor' })
      expectStatus(await client.get(`/v1/content/note/${id}`), 200)
    })
  })

  describe('with the folder of a project', () => {
    const files = {
      'mortise.config.json': JSON.stringify({
        site: { name: 'The project', description: 'Of a test' },
        storage: { type: 'nowhere' },
        redis: { url: 'redis://127.0.0.1:1' },
        'server.port': 1,
      }),
      'schemas/note.json': JSON.stringify(note),
      'plugins/local/plugin.mjs': `export default {
        name: 'local',
        description: 'Of the project',
        register: ({ log }) => log.info({}, 'local is on'),
      }`,
      '.env': 'DATABASE_URL=postgres://127.0.0.1:1/none\nSVC_SITE_DESCRIPTION=From .env\n',
    }
    const siteOf = async ({ admin }: TestService) => {
      const { site } = expectStatus(await admin.get('/api/admin/config'), 200).body.data
      const settingOf = (key: string) => site.find((each: { key: string }) => each.key === key).value
      return [settingOf('site.name'), settingOf('site.description')]
    }

    it('uses its config, schema files and plugins, and nothing else of it', () =>
      withFiles(files, async (projectFolder) => {
        await withService({ projectFolder }, async (started) => {
          await started.create('note', { text: 'a' })
          assert.deepEqual(await siteOf(started), ['The project', 'Of a test'])
          assert.ok(started.logLines.some(({ message }) => message === 'local is on'))
        })
        assert.deepEqual(readdirSync(projectFolder).sort(), [
          '.env',
          'mortise.config.json',
          'plugins',
          'schemas',
        ])
      }))

    it('takes config and schema files in place of its own', () =>
      withFiles(files, async (projectFolder) => {
        const config = { 'site.name': 'Another', plugins: { './plugins/local': false } }
        const other = {
          'page.json': { ...note, info: { singularName: 'page', pluralName: 'pages', displayName: 'Page' } },
        }
        await withService({ projectFolder, config, schemas: other }, async (started) => {
          assert.deepEqual(await siteOf(started), ['Another', 'Of a test'])
          await started.create('page', { text: 'a' })
          expectStatus(await started.admin.get('/api/content/note'), 404)
          assert.ok(!started.logLines.some(({ message }) => message === 'local is on'))
        })
      }))
  })
})

const serviceOfNobody = service<object>('nobodys')

const testFolders = () => readdirSync(tmpdir()).filter((name) => name.startsWith('mortise-test-'))
