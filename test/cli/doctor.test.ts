import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import { describe, it } from 'node:test'
import Database from 'better-sqlite3'
import { startFaultyStore } from '../storage-s3/faulty-store.ts'
import { startS3Store } from '../storage-s3/s3-store.ts'
import { skipWithoutNative } from '../support/adapters.ts'
import { runCommand } from '../support/command-line.ts'
import { canStart, startRedis } from '../support/database-servers.ts'
import { withProject } from '../support/process.ts'
import type { Project } from '../support/project.ts'
import { skipWithout, slow } from '../support/scope.ts'

interface Finding {
  readonly check: string
  readonly status: string
  readonly message: string
  readonly remedy?: string
}

async function examined(project: Project): Promise<{ code: number | null; of(check: string): Finding[] }> {
  const { code, stdout, stderr } = await runCommand(project, ['doctor', '--json'])
  assert.equal(stderr, '')
  const { findings, isBroken } = JSON.parse(stdout) as { findings: Finding[]; isBroken: boolean }
  assert.equal(code, isBroken ? 1 : 0)
  return { code, of: (check) => findings.filter((finding) => finding.check === check) }
}

const withoutRedis = skipWithout('redis-server', canStart.redis())

/** A store that speaks S3, of whose buckets one can see that they are there. */
async function startReadOnlyStore() {
  const server = createServer((request, response) => {
    request.resume()
    if (request.method === 'HEAD') return response.end()
    const body = '<Error><Code>AccessDenied</Code><Message>no writing here</Message></Error>'
    return response.writeHead(403, { 'content-type': 'application/xml' }).end(body)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() }
}

const note = (attributes: object) => ({
  kind: 'collectionType',
  info: { singularName: 'note', pluralName: 'notes', displayName: 'Note' },
  attributes,
})

describe('npm run mortise -- doctor', () => {
  it('finds a project sound once it has tables, and says what to do before', slow, () =>
    withProject({ schemas: { 'note.json': note({ title: { type: 'string' } }) } }, async (project) => {
      const fresh = await examined(project)
      assert.equal(fresh.code, 0)
      assert.equal(fresh.of('storage')[2]?.status, 'skipped')
      assert.match(fresh.of('database')[0]?.remedy ?? '', /start the service, or run `mortise database sync`/)
      assert.equal((await runCommand(project, ['database', 'sync'])).code, 0)
      const sound = await examined(project)
      const checks = [
        'versions',
        'settings',
        'plugins',
        'database',
        'server',
        'storage',
        'Redis',
        'mail',
        'disk',
      ]
      const states = checks.map((check) => `${check} ${sound.of(check)[0]?.status}`)
      assert.deepEqual(states, [
        ...['versions ok', 'settings ok', 'plugins ok', 'database ok'],
        `server ${skipWithoutNative === false ? 'ok' : 'warning'}`,
        ...['storage ok', 'Redis skipped', 'mail skipped', 'disk ok'],
      ])
      assert.match(sound.of('storage')[2]?.message ?? '', /^local: a file was written, read and removed$/)

      project.write('schemas/note.json', JSON.stringify(note({})))
      const behind = (await examined(project)).of('database')[0]
      assert.match(behind?.message ?? '', /1 of which would lose something$/)
      assert.match(behind?.remedy ?? '', /database preview.*--allow-destructive/)
    }),
  )

  it('tells a database of an earlier version as that, and does not call it broken', () =>
    withProject({ schemas: { 'note.json': note({ title: { type: 'string' } }) } }, async (project) => {
      assert.equal((await runCommand(project, ['database', 'sync'])).code, 0)
      const file = new Database(
        resolve(project.workingDirectory, String(project.env.DATABASE_URL).replace(/^sqlite:/, '')),
      )
      const indexes = file.prepare<[], { name: string }>("select name from pragma_index_list('content_note')")
      for (const { name } of indexes.all()) if (name.includes('uuid')) file.exec(`drop index "${name}"`)
      file.exec('alter table content_note drop column _uuid')
      file.close()
      project.write(
        'schemas/note.json',
        JSON.stringify(note({ title: { type: 'string' }, more: { type: 'text' } })),
      )
      const { code, of } = await examined(project)
      const [finding] = of('database')
      assert.deepEqual([code, finding?.status, of('services')], [0, 'warning', []])
      assert.match(
        finding?.message ?? '',
        /tables of an earlier version, or of other schema files; \d+ pending/,
      )
      assert.match(finding?.remedy ?? '', /^the next start makes them/)
      assert.deepEqual([of('storage')[2]?.status, of('disk')[0]?.status], ['skipped', 'ok'])
    }))

  it('names what is broken with its remedy and without secrets, and ends with 1', () =>
    withProject(
      {
        files: { 'plugins/bad/plugin.js': 'throw new Error("bad day")' },
        env: {
          DATABASE_URL: 'postgres://me:hidden-word@127.0.0.1:1/none',
          REDIS_URL: 'redis://:hidden-word@127.0.0.1:1',
          STORAGE_TYPE: 's3',
          SVC_EMAIL_HOST: '127.0.0.1',
          SVC_EMAIL_PORT: '1',
          SVC_EMAIL_FROM: 'a@example.com',
        },
      },
      async (project) => {
        const broken = await examined(project)
        assert.equal(broken.code, 1)
        assert.match(broken.of('plugins')[0]?.message ?? '', /^bad: cannot be loaded: bad day/)
        assert.match(broken.of('database')[0]?.remedy ?? '', /start the database server/)
        assert.equal(broken.of('Redis')[0]?.status, 'broken')
        assert.equal(broken.of('mail')[0]?.status, 'broken')
        const storage = broken.of('storage').map(({ status }) => status)
        assert.deepEqual(storage, ['ok', 'skipped'], 'uploads go elsewhere')
        const { code, stdout, stderr } = await runCommand(project, ['doctor'])
        assert.deepEqual([code, stderr], [1, ''])
        assert.match(stdout, /^plugins +broken +bad: cannot be loaded: bad day$/m)
        assert.ok(!stdout.includes('hidden-word'))
      },
    ))

  it('examines Redis, and says what it refuses or may drop', { skip: withoutRedis }, async (test) => {
    const account = ['plain', 'on', 'nopass', '~*', '&*', '+@all', '-eval']
    const server = await startRedis(['--maxmemory-policy', 'allkeys-lru', '--user', ...account])
    assert.ok(server, 'redis-server is not installed')
    test.after(() => server.stop())
    await withProject({ env: { REDIS_URL: server.url } }, async (project) => {
      const [sound, warning] = (await examined(project)).of('Redis')
      assert.match(`${sound?.status} ${sound?.message}`, /^ok (Redis|Valkey) [0-9.]+ takes all/)
      assert.match(`${warning?.status} ${warning?.message}`, /^warning it may drop keys.*allkeys-lru/)
      assert.match(warning?.remedy ?? '', /noeviction/)
      const env = { ...project.env, REDIS_URL: server.url.replace('//', '//plain:any@') }
      const refused = await examined({ ...project, env })
      assert.deepEqual(refused.of('Redis'), [
        {
          check: 'Redis',
          status: 'broken',
          message: 'the account may not run EVAL',
          remedy: 'give the account the rights that docs/redis.md lists: +eval',
        },
      ])
      assert.equal(refused.code, 1)
    })
  })

  it('checks settings as a start would: for production unless told otherwise', () =>
    withProject({ env: { JWT_SECRET: '' } }, async (project) => {
      const { NODE_ENV: _, ...env } = project.env
      const { code, of } = await examined({ ...project, env })
      assert.equal(code, 1)
      assert.match(of('settings')[0]?.message ?? '', /^JWT_SECRET /)
      const lenient = await examined({ ...project, env: { ...env, NODE_ENV: 'development' } })
      assert.ok(lenient.of('settings').every(({ status }) => status !== 'broken'))
    }))

  it('tries to write to a bucket and removes what it wrote', slow, async (test) => {
    const store = await startS3Store('files')
    test.after(() => store.close())
    const readOnly = await startReadOnlyStore()
    test.after(() => readOnly.close())
    // The SDK of the store warns of old versions of Node.js.
    const quiet = { NODE_NO_WARNINGS: '1' }
    await withProject({ env: { ...store.env('files'), STORAGE_TYPE: 's3', ...quiet } }, async (project) => {
      assert.equal((await runCommand(project, ['database', 'sync'])).code, 0)
      const sound = await examined(project)
      assert.equal(sound.of('storage')[1]?.message, 's3: a file was written, read and removed')
      assert.deepEqual([sound.code, store.keys('files', '')], [0, []])

      const env = { ...project.env, STORAGE_S3_ENDPOINT: readOnly.url }
      const refused = await examined({ ...project, env })
      const [, finding] = refused.of('storage')
      assert.deepEqual([refused.code, finding?.status], [1, 'broken'])
      assert.match(
        finding?.message ?? '',
        /cannot be written and removed: .*no writing here.*STORAGE_S3_SECRET_ACCESS_KEY/,
      )
      assert.match(finding?.remedy ?? '', /write, read and delete .* STORAGE_TYPE=s3/)

      const faulty = await startFaultyStore(store.url)
      test.after(() => faulty.close())
      faulty.fail({ kind: 'refusal', status: 403, code: 'RequestTimeTooSkewed' }, ['PUT'])
      const late = await examined({ ...project, env: { ...project.env, STORAGE_S3_ENDPOINT: faulty.url } })
      assert.match(
        late.of('storage')[1]?.message ?? '',
        /RequestTimeTooSkewed.*set the clock of this machine/,
      )
      faulty.fail({ kind: 'nod' })
      const foreign = await examined({ ...project, env: { ...project.env, STORAGE_S3_ENDPOINT: faulty.url } })
      assert.match(
        foreign.of('storage')[1]?.message ?? '',
        /no store that speaks S3: look at STORAGE_S3_ENDPOINT/,
      )

      const missing = await examined({ ...project, env: { ...project.env, STORAGE_S3_BUCKET: 'nowhere' } })
      assert.equal(missing.code, 1)
      const [service] = missing.of('services')
      assert.match(service?.message ?? '', /^STORAGE_S3_BUCKET is nowhere, which cannot be used/)
      assert.equal(service?.remedy, 'look at STORAGE_S3_BUCKET, or make the bucket')
    })
  })
})
