import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { sql } from 'drizzle-orm'
import { Type } from 'typebox'
import { defineJob, jobsService } from '../../core-plugins/background/jobs/jobs.ts'
import { databaseService } from '../../core-plugins/foundation/database/database.ts'
import { expectStatus, login, newAdmin, newApiToken, newUser } from '../api/auth-callers.ts'
import { type Answer, type Client, createClient } from '../support/client.ts'
import { slow } from '../support/scope.ts'
import { type BackupWorld, fill, startBackupWorld } from './backup-world.ts'
import { entriesIn, reseal } from './reseal.ts'

type Bytes = Uint8Array<ArrayBuffer>

const allContent = { read: true, create: true, update: true, delete: true, publish: true }
const allMedia = { read: true, write: true, delete: true }
const everything = { content: { '*': allContent }, media: allMedia }
const backups = '/api/admin/backups'
const noSections = { schemas: false, components: false, config: false, content: false, media: false }
/** Names the kind of the plugin, whose job it becomes. */
const restoreKind = defineJob({
  name: 'backup.restore',
  payload: Type.Object({ id: Type.Integer() }),
  run: async () => undefined,
})
const backupScopes = ['admin:backups:read', 'admin:backups:write']
const sectionsOf = (answer: Answer) =>
  answer.body.error.details.map(({ path }: { path: string }) => path.replace('sections.', ''))

/** What may be done to backups, and by them, with which rights. */
describe('the rights on backups', () => {
  let world: BackupWorld
  let archive: Bytes
  let id: number
  let adminRole: number

  before(async () => {
    world = await startBackupWorld({ env: { SVC_JOBS_POLL_INTERVAL_MS: '20' } })
    await fill(world)
    id = (await world.backUp()).id
    archive = await world.download(id)
    const roles: { id: number; name: string }[] = (await world.admin.get('/api/admin/roles')).body.data
    adminRole = roles.find(({ name }) => name === 'admin')?.id ?? 0
  })
  after(() => world?.stop())

  const restore = (by: Client, of: number, body: object = {}) => by.post(`${backups}/${of}/restore`, body)
  const setAdminRights = async (permissions: object) =>
    expectStatus(await world.admin.put(`/api/admin/roles/${adminRole}`, { permissions }), 200)

  async function whileAdminsMay(permissions: object, work: () => Promise<unknown>): Promise<void> {
    await setAdminRights(permissions)
    try {
      await work()
    } finally {
      await setAdminRights(everything)
    }
  }

  /** The archive with its content user in another role. */
  function withRole(role: string): Bytes {
    const { name, content } =
      entriesIn(archive).find((entry) => /^tables\/.*svc_users/.test(entry.name)) ?? assert.fail()
    const text = String(gunzipSync(content))
    assert.ok(text.includes('"authenticated"'))
    const changed = text.replaceAll('"authenticated"', JSON.stringify(role))
    return reseal(archive, {
      contents: { [name]: gzipSync(changed) },
      manifest(manifest) {
        for (const table of manifest.tables)
          for (const part of table.parts) if (part.name === name) part.bytes = Buffer.byteLength(changed)
      },
    })
  }

  const roleOfReader = async () =>
    (await world.admin.get('/api/admin/content-users?search=reader@')).body.data[0].role

  it('asks a token for the rights on what is restored, run dry or not', slow, async () => {
    const { client } = await newApiToken(world, backupScopes)
    for (const dryRun of [true, false]) {
      const answer = expectStatus(await restore(client, id, { dryRun }), 403)
      assert.deepEqual(sectionsOf(answer), ['schemas', 'components', 'config', 'content', 'media'])
    }
    const cases: [string[], object][] = [
      [['admin:config:write'], { config: true }],
      [['media:read', 'media:write', 'media:delete'], { media: true }],
      [
        ['content:read', 'content:write', 'content:delete', 'content:publish', 'admin:users:write'],
        { content: true },
      ],
    ]
    for (const [scopes, sections] of cases) {
      for (const missing of scopes) {
        const less = await newApiToken(world, [
          ...backupScopes,
          ...scopes.filter((scope) => scope !== missing),
        ])
        expectStatus(await restore(less.client, id, { dryRun: true, sections }), 403)
      }
      const enough = await newApiToken(world, [...backupScopes, ...scopes])
      expectStatus(await restore(enough.client, id, { dryRun: true, sections }), 200)
      expectStatus(await restore(enough.client, id, { sections }), 200)
    }
    const full = await newApiToken(world, ['admin:*'])
    expectStatus(await restore(full.client, id, { dryRun: true }), 200)
  })

  it('asks an administrator for the same', slow, async () => {
    const admin = await newAdmin(world, 'admin')
    expectStatus(await restore(admin.client, id, { dryRun: true }), 200)
    await whileAdminsMay({ content: { '*': allContent, author: { read: true } }, media: {} }, async () => {
      const answer = expectStatus(await restore(admin.client, id, { dryRun: true }), 403)
      assert.deepEqual(sectionsOf(answer), ['schemas', 'components', 'content', 'media'])
      expectStatus(await restore(admin.client, id, { dryRun: true, sections: { config: true } }), 200)
    })
  })

  it('shows a backup to those who may read all of it, and counts what they may read', async () => {
    const download = `${backups}/${id}/download`
    const counts = async (by: Client) => Object.keys((await by.get(`${backups}/${id}`)).body.data.counts)
    const { client } = await newApiToken(world, backupScopes)
    expectStatus(await client.get(download), 403)
    assert.deepEqual(await counts(client), [])
    const scopes = ['content:read', 'content:publish', 'media:read', 'admin:users:read', 'admin:config:read']
    const reader = await newApiToken(world, [...backupScopes, ...scopes])
    expectStatus(await reader.client.get(download), 200)
    assert.deepEqual(
      (await counts(reader.client)).sort(),
      await counts(world.admin).then((all) => all.sort()),
    )

    const admin = await newAdmin(world, 'admin')
    expectStatus(await admin.client.get(download), 200)
    const media = await world.backUp({ sections: { media: true } })
    await whileAdminsMay({ content: { author: { read: true } }, media: { read: true } }, async () => {
      expectStatus(await admin.client.get(download), 403)
      expectStatus(await admin.client.get(`${backups}/${media.id}/download`), 200)
      assert.deepEqual((await counts(admin.client)).sort(), ['config', 'media'])
    })
  })

  it('are those of whoever stands behind a token, where a backup is made', async () => {
    const admin = await newAdmin(world, 'admin')
    const made = await admin.client.post('/api/admin/api-tokens', { name: 'nightly', scopes: backupScopes })
    const { token } = expectStatus(made, 201).body.data
    const nightly = createClient(world.url, token)
    const done = expectStatus(await nightly.post(backups, {}), 201).body.data
    expectStatus(await nightly.get(`${backups}/${done.id}/download`), 403)
    await whileAdminsMay({ content: { author: { read: true } }, media: { read: true } }, async () => {
      for (const by of [admin.client, nightly]) {
        for (const body of [{}, { async: true }, { sections: { content: true } }]) {
          expectStatus(await by.post(backups, body), 403)
        }
        expectStatus(await by.post(backups, { sections: { media: true } }), 201)
        expectStatus(await by.put(`${backups}/schedule`, { enabled: true }), 403)
      }
    })
  })

  it('are those of whoever set the schedule, at its time', async () => {
    const admin = await newAdmin(world, 'admin')
    expectStatus(await admin.client.put(`${backups}/schedule`, { sections: { content: true } }), 200)
    const due = async () => {
      const schedules: { id: number; name: string }[] = (await world.admin.get('/api/admin/scheduled-jobs'))
        .body.data
      const { id: schedule } = schedules.find(({ name }) => name === 'backup.create') ?? assert.fail()
      expectStatus(await world.admin.post(`/api/admin/scheduled-jobs/${schedule}/run`), 202)
      await world.kernel.get(jobsService).drain()
      return (await world.admin.get('/api/admin/jobs?name=backup.scheduled&limit=1')).body.data[0]
    }
    assert.equal((await due()).status, 'completed')
    await whileAdminsMay({ content: {}, media: {} }, async () => {
      const refused = await due()
      assert.deepEqual([refused.status, refused.attempts], ['failed', 1])
    })
    expectStatus(await world.admin.delete(`/api/admin/users/${admin.id}`), 200)
    const orphaned = await due()
    assert.equal(orphaned.status, 'failed')
    assert.match(orphaned.error, /save it anew/)
    expectStatus(await world.admin.put(`${backups}/schedule`, {}), 200)
    assert.equal((await due()).status, 'completed')
  })

  it('let no role in that whoever restores could not give', slow, async () => {
    const role = { name: 'librarian', permissions: { content: {}, media: { read: true, write: true } } }
    expectStatus(await world.admin.post('/api/admin/roles', role), 201)
    const content = { sections: { content: true } }
    for (const forbidden of ['super-admin', 'admin', 'editor', 'public', 'nobody has this']) {
      const of = await world.take(withRole(forbidden))
      const dry = expectStatus(await restore(world.admin, of, { ...content, dryRun: true }), 200).body.data
      assert.deepEqual(dry.replacedRoles, { [forbidden]: 1 })
      const done = expectStatus(await restore(world.admin, of, content), 200).body.data
      assert.deepEqual(done.replacedRoles, { [forbidden]: 1 })
      assert.equal(await roleOfReader(), 'authenticated')
    }
    const of = await world.take(withRole('librarian'))
    const admin = await newAdmin(world, 'admin')
    expectStatus(await restore(world.admin, of, content), 200)
    assert.equal(await roleOfReader(), 'librarian')
    await whileAdminsMay({ content: { '*': allContent }, media: { read: true } }, async () => {
      const done = expectStatus(await restore(admin.client, of, content), 200).body.data
      assert.deepEqual(done.replacedRoles, { librarian: 1 })
      assert.equal(await roleOfReader(), 'authenticated')
    })
  })

  /** A restore that somebody has asked for and no process has begun with. */
  async function leftBehind(requestedBy: { kind: string; id: number; name: string }): Promise<number> {
    const database = world.kernel.get(databaseService)
    const { dialect } = database
    const row = {
      sections: ['json', { ...noSections, content: true }],
      requested_by: ['json', requestedBy],
      created_at: ['datetime', new Date().toISOString()],
    } as const
    const names = Object.keys(row) as (keyof typeof row)[]
    const insert = database.prepare(
      sql`insert into svc_backup_restores (backup_id, active, status, ${sql.raw(names.join())})
        values (${sql.raw(String(id))}, 1, 'pending', ${sql.join(
          names.map((name) => dialect.placeholder(name, row[name][0])),
          sql`, `,
        )})`,
    )
    const values = Object.fromEntries(names.map((name) => [name, dialect.bind(row[name][1], row[name][0])]))
    return database.transaction(async (tx) => {
      const { insertId } = await tx.run(insert, values)
      const job = await world.kernel.get(jobsService).enqueue(tx, restoreKind, { id: insertId })
      const setJob = sql`update svc_backup_restores set job_id = ${sql.raw(String(job))}
        where id = ${sql.raw(String(insertId))}`
      await tx.run(database.prepare(setJob))
      return job
    })
  }

  it('are asked again when a restore is taken up later', async () => {
    const jobs = world.kernel.get(jobsService)
    const weak = await newApiToken(world, backupScopes)
    const gone = await newAdmin(world, 'admin')
    expectStatus(await world.admin.delete(`/api/admin/users/${gone.id}`), 200)
    for (const [requester, reason] of [
      [
        { kind: 'token', id: weak.id, name: 'weak' },
        /not allowed: your rights do not cover the sections content/,
      ],
      [{ kind: 'admin', id: gone.id, name: gone.username }, /blocked or gone/],
    ] as const) {
      const ended = await jobs.finished(await leftBehind(requester))
      assert.equal(ended.status, 'failed')
      assert.match(ended.error ?? '', reason)
    }
    const full = await newApiToken(world, ['admin:*'])
    const ended = await jobs.finished(await leftBehind({ kind: 'token', id: full.id, name: 'full' }))
    assert.equal(ended.status, 'completed')
  })

  it('end the sessions of content users in every restore of content', async () => {
    const user = await newUser(world)
    const me = () => user.client.get('/api/auth/me')
    const { id: own } = await world.backUp()
    expectStatus(await me(), 200)
    expectStatus(await restore(world.admin, own, { sections: { content: true } }), 200)
    expectStatus(await me(), 401)
    const again = await login(world, 'auth', user)
    expectStatus(await again.client.get('/api/auth/me'), 200)
  })
})
