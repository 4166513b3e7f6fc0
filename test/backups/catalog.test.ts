import assert from 'node:assert/strict'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { jobsService } from '../../core-plugins/background/jobs/jobs.ts'
import { slow } from '../support/scope.ts'
import { until } from '../support/until.ts'
import { type BackupWorld, fill, schemas, startBackupWorld } from './backup-world.ts'

describe('the catalog of backups', () => {
  let world: BackupWorld
  before(async () => {
    world = await startBackupWorld()
    await fill(world)
  })
  after(() => world?.stop())

  const get = (path: string) => world.admin.get(`/api/admin/backups${path}`)
  const all = { schemas: true, components: true, config: true, content: true, media: true }

  it('answers a completed backup', async () => {
    const backup = await world.backUp({ name: 'Nightly', retentionDays: 3 })
    assert.equal(backup.name, 'Nightly')
    assert.equal(backup.status, 'completed')
    assert.deepEqual(backup.sections, all)
    assert.match(backup.checksum, /^[0-9a-f]{64}$/)
    assert.equal(Date.parse(backup.expires_at) - Date.parse(backup.created_at), 3 * 86_400_000)
    assert.equal(backup.error, null)
    assert.deepEqual((await get(`/${backup.id}`)).body.data, { ...backup, lastRestore: null })
  })

  it('tells how the newest restore of a backup ended', slow, async () => {
    const { id } = await world.backUp()
    const lastRestore = async () => (await get(`/${id}`)).body.data.lastRestore
    assert.equal((await world.restore(id)).status, 200)
    const restored = await lastRestore()
    assert.deepEqual([restored.status, restored.error], ['completed', null])
    assert.ok(restored.completed_at >= restored.created_at)

    const newest = world.backupFiles().sort().at(-1) ?? ''
    writeFileSync(join(world.workingDirectory, 'data/backups', newest), 'damaged')
    const { status, body } = await world.restore(id)
    assert.equal(status, 400)
    const refused = await lastRestore()
    assert.deepEqual([refused.status, refused.error], ['failed', body.error.message])
  })

  it('answers a pending backup at once when asked to', slow, async () => {
    const { status, body } = await world.admin.post('/api/admin/backups', { async: true })
    assert.equal(status, 202)
    assert.equal(body.data.status, 'pending')
    assert.equal(body.data.retentionDays, 30)
    await until(async () => (await get(`/${body.data.id}`)).body.data.status === 'completed')
  })

  it('lists backups by status, newest first', async () => {
    await world.backUp()
    const { body } = await get('?status=completed&limit=2')
    const ids = body.data.map(({ id }: { id: number }) => id)
    assert.deepEqual(
      ids,
      [...ids].sort((left, right) => right - left),
    )
    assert.ok(body.pagination.total >= 2)
    assert.deepEqual((await get('?status=failed')).body.data, [])
    assert.equal((await get('?status=nonsense')).status, 400)
  })

  it('sends the file with its name and size', async () => {
    const { id, size } = await world.backUp()
    const response = await world.admin.get(`/api/admin/backups/${id}/download`)
    assert.equal(response.headers.get('content-length'), String(size))
    assert.equal(response.headers.get('content-type'), 'application/x-tar')
    assert.match(
      response.headers.get('content-disposition') ?? '',
      /^attachment; filename="backup-\d+-.*\.tar"$/,
    )
  })

  it('deletes a backup with its file', async () => {
    const before = world.backupFiles().length
    const { id } = await world.backUp()
    assert.equal(world.backupFiles().length, before + 1)
    assert.equal((await world.admin.delete(`/api/admin/backups/${id}`)).status, 200)
    assert.equal(world.backupFiles().length, before)
    assert.equal((await get(`/${id}`)).status, 404)
    assert.equal((await get(`/${id}/download`)).status, 404)
    assert.equal((await world.restore(id)).status, 404)
  })

  it('refuses what makes no sense', async () => {
    for (const body of [
      { name: '' },
      { retentionDays: -1 },
      { sections: { nonsense: true } },
      { sections: {} },
      { sections: { schemas: false, components: false, config: false, content: false, media: false } },
      { async: 'yes' },
      { unknown: 1 },
    ]) {
      const { status } = await world.admin.post('/api/admin/backups', body)
      assert.equal(status, 400, JSON.stringify(body))
    }
  })

  it('takes the sections that are named, and no others', async () => {
    const { sections, counts } = await world.backUp({ sections: { content: true } })
    assert.deepEqual(sections, { ...all, schemas: false, components: false, config: false, media: false })
    assert.deepEqual(Object.keys(counts), ['content'])
    const without = await world.backUp({ sections: { media: false } })
    assert.deepEqual(without.sections, { ...all, media: false })
    const { status, body } = await world.restore(without.id, { sections: {}, dryRun: true })
    assert.equal(status, 400)
    assert.deepEqual(body.error.details, [
      { path: 'sections', code: 'minItems', message: 'names none; leave it out where all are meant' },
    ])
  })

  it('tells when the file is gone', async () => {
    const { id } = await world.backUp()
    rmSync(join(world.workingDirectory, 'data/backups', world.backupFiles().sort().at(-1) ?? ''))
    assert.equal((await get(`/${id}/download`)).status, 404)
    assert.match((await world.restore(id)).body.error.message, /not in the folder of backups/)
  })

  it('removes what has expired, when its job runs', async () => {
    const kept = await world.backUp({ retentionDays: 1 })
    const { id } = await world.backUp({ retentionDays: 0 })
    const files = world.backupFiles().length
    const { body } = await world.admin.get('/api/admin/scheduled-jobs')
    const cleanup = body.data.find(({ name }: { name: string }) => name === 'backup.cleanup')
    assert.equal(cleanup.enabled, true)
    assert.equal((await world.admin.post(`/api/admin/scheduled-jobs/${cleanup.id}/run`)).status, 202)
    await world.kernel.get(jobsService).drain()
    assert.equal((await get(`/${id}`)).status, 404)
    assert.equal((await get(`/${kept.id}`)).status, 200)
    assert.equal(world.backupFiles().length, files - 1)
  })

  it('makes backups by a schedule', async () => {
    const first = await get('/schedule')
    assert.deepEqual(first.body.data, {
      enabled: false,
      cronExpression: '0 3 * * *',
      retentionDays: 30,
      sections: all,
    })
    const put = (body: object) => world.admin.put('/api/admin/backups/schedule', body)
    assert.equal((await put({ cronExpression: 'every day' })).status, 400)
    assert.equal((await put({ retentionDays: 'long' })).status, 400)
    assert.deepEqual((await get('/schedule')).body, first.body)
    const settings = {
      enabled: true,
      cronExpression: '* * * * * *',
      retentionDays: 7,
      sections: { content: true },
    }
    const changed = await put(settings)
    assert.equal(changed.status, 200, JSON.stringify(changed.body))
    const isScheduled = ({ name, status }: { name: string; status: string }) =>
      name.startsWith('Scheduled') && status === 'completed'
    await until(async () => (await get('')).body.data.some(isScheduled))
    assert.equal((await put({ enabled: false })).status, 200)
    const found = (await get('')).body.data.find(isScheduled)
    assert.equal(found.retentionDays, 7)
    assert.deepEqual(found.sections, {
      ...all,
      schemas: false,
      components: false,
      config: false,
      media: false,
    })
    await world.kernel.get(jobsService).drain()
  })

  it('makes one backup for one tick of the schedule', async () => {
    const jobs = (await world.admin.get('/api/admin/jobs?name=backup.scheduled')).body.data
    const made = (await get('?limit=100')).body.data.filter(({ name }: { name: string }) =>
      name.startsWith('Sch'),
    )
    assert.equal(made.length, jobs.filter(({ status }: { status: string }) => status === 'completed').length)
  })
})

describe('a restore', () => {
  let world: BackupWorld
  let ids: Awaited<ReturnType<typeof fill>>
  before(async () => {
    world = await startBackupWorld()
    ids = await fill(world)
  })
  after(() => world?.stop())

  const content = (path: string) => world.admin.get(`/api/content/${path}`)

  /** Jobs remove files and index them; they wait while a restore runs. */
  const jobsEnded = () =>
    until(async () => {
      const { waiting, delayed, active } = (await world.admin.get('/api/admin/jobs/stats')).body.data.byStatus
      return waiting + delayed + active === 0
    })

  it(
    'says beforehand what it would change, section by section, and changes nothing by that',
    slow,
    async () => {
      const { id } = await world.backUp()
      const dry = async () => {
        const { status, body } = await world.restore(id, { dryRun: true })
        assert.equal(status, 200, JSON.stringify(body))
        assert.deepEqual([body.data.success, body.data.restartRequired], [true, false])
        return body.data.changes
      }
      const kept = (unchanged: number) => ({ added: 0, changed: 0, removed: 0, unchanged })
      const same = await dry()
      assert.deepEqual(
        [same.content.book, same.content.author, same.content['book.similar'], same.content.user],
        [kept(2), kept(1), kept(2), kept(1)],
      )
      assert.deepEqual([same.media.media, same.media['media-folder']], [kept(3), kept(2)])
      assert.deepEqual(same.components, {
        added: [],
        changed: [],
        unchanged: ['shared.quote.json'],
        kept: [],
      })

      await world.admin.put(`/api/content/book/${ids.first.id}`, { data: { b: 2 }, similar: [] })
      await world.admin.post('/api/content/author', { name: 'Later' })
      await world.admin.delete(`/api/media/${ids.note.id}`)
      const before = await world.contents()
      const other = await dry()
      assert.deepEqual(other.content.book, { ...kept(1), changed: 1 })
      assert.deepEqual(other.content.author, { ...kept(1), removed: 1 })
      assert.deepEqual(other.content['book.similar'], { ...kept(1), added: 1 })
      assert.deepEqual(other.media.media, { ...kept(2), added: 1 })
      assert.deepEqual(await world.contents(), before)
      assert.equal((await world.restore(id)).status, 200)
      assert.deepEqual(await dry(), same)
    },
  )

  it('knows which entries use which file, whichever of both comes back', slow, async () => {
    // A job finds the usages anew after each restore.
    const usage = async () => {
      await jobsEnded()
      return (await world.admin.get(`/api/media/${ids.cover.id}/usage`)).body.data
    }
    const before = await usage()
    assert.ok(before.length > 0)
    const { id } = await world.backUp({ sections: { content: true, media: true } })
    for (const section of ['content', 'media']) {
      await world.admin.put(`/api/content/book/${ids.first.id}`, { cover: null, gallery: [] })
      assert.deepEqual(await usage(), [])
      assert.equal((await world.restore(id, { sections: { [section]: true } })).status, 200)
      assert.deepEqual(await usage(), section === 'content' ? before : [])
    }
    assert.equal((await world.restore(id)).status, 200)
    assert.deepEqual(await usage(), before)
  })

  it('ends the sessions of content users, whose accounts are those of then', slow, async () => {
    const password = 'a long password of a reader'
    const login = (given: string) => world.post('/api/auth/login', { identifier: 'reader', password: given })
    const early = (await login(password)).body.data.token
    const { id } = await world.backUp()
    const late = (await login(password)).body.data.token
    assert.equal((await world.get('/api/auth/me', { token: late })).status, 200)
    const later = 'another long password of a reader'
    await world.admin.put(`/api/admin/content-users/${ids.user.id}`, { password: later })
    assert.equal((await world.restore(id)).status, 200)
    for (const token of [early, late]) assert.equal((await world.get('/api/auth/me', { token })).status, 401)
    assert.equal((await login(later)).status, 401)
    const { body } = await login(password)
    assert.equal((await world.get('/api/auth/me', { token: body.data.token })).status, 200)
  })

  it('brings settings back, which take effect at once', async () => {
    const set = (value: string) => world.admin.put('/api/admin/config', { 'site.name': value })
    const shown = async () => {
      const { site } = (await world.admin.get('/api/admin/config')).body.data
      return site.find(({ key }: { key: string }) => key === 'site.name').value
    }
    await set('Then')
    const { id } = await world.backUp({ sections: { config: true } })
    await set('Now')
    const dry = await world.restore(id, { dryRun: true })
    assert.equal(dry.body.data.changes.config.settings.changed, 1)
    assert.equal((await world.restore(id)).status, 200)
    assert.equal(await shown(), 'Then')
  })

  it(
    'of media alone keeps the references of content to files, whatever folders they are in',
    slow,
    async () => {
      const before = (await content(`book/${ids.first.id}?populate=*`)).body.data
      const { id } = await world.backUp({ sections: { media: true } })
      const { body: added } = await world.upload('later', 'later.txt')
      const { body: later } = await world.admin.post('/api/media-folders', { name: 'Later' })
      const changes = { alt: 'changed', folder: later.data.id }
      assert.equal((await world.admin.put(`/api/media/${ids.cover.id}`, changes)).status, 200)
      const moved = { parent: later.data.id }
      assert.equal((await world.admin.put(`/api/media-folders/${ids.folder.id}`, moved)).status, 200)
      const { status, body } = await world.restore(id)
      assert.equal(status, 200, JSON.stringify(body))
      assert.equal((await world.admin.get(`/api/media-folders/${later.data.id}`)).status, 404)
      assert.equal((await world.admin.get(`/api/media-folders/${ids.folder.id}`)).body.data.parent, null)
      const after = (await content(`book/${ids.first.id}?populate=*`)).body.data
      assert.deepEqual({ ...after, updated_at: '' }, { ...before, updated_at: '' })
      assert.equal((await world.admin.get(`/api/media/${added.data.id}`)).status, 404)
    },
  )

  it('of content alone does without files that have been deleted since, and tells so', slow, async () => {
    const { id } = await world.backUp({ sections: { content: true, media: true } })
    assert.equal((await world.admin.delete(`/api/media/${ids.cover.id}`)).status, 200)
    const { status, body } = await world.restore(id, { sections: { content: true } })
    assert.equal(status, 200, JSON.stringify(body))
    assert.deepEqual(body.data.lostReferences, { 'book.cover_id': 1, 'book.gallery.target_id': 1 })
    assert.equal((await content(`book/${ids.first.id}`)).body.data.cover, null)
    const whole = await world.restore(id)
    assert.deepEqual(whole.body.data.lostReferences, {})
    assert.equal((await content(`book/${ids.first.id}`)).body.data.cover, ids.cover.id)
    const { response } = await world.fetchFile(ids.cover.url)
    assert.equal(response.status, 200)
  })

  it(
    'removes the files that nothing names any more, and keeps those that it has brought back',
    slow,
    async () => {
      const { id } = await world.backUp()
      await jobsEnded()
      const files = world.files().sort()
      await world.upload('later', 'later.txt')
      await world.admin.delete(`/api/media/${ids.note.id}`)
      assert.equal((await world.restore(id)).status, 200)
      await jobsEnded()
      assert.deepEqual(world.files().sort(), files)
      const { bytes } = await world.fetchFile(ids.note.url)
      assert.equal(String(bytes), 'just a note')
    },
  )

  it('refuses sections that are not there', async () => {
    const { id } = await world.backUp({ sections: { content: true } })
    const { status, body } = await world.restore(id, { sections: { media: true } })
    assert.equal(status, 400)
    assert.equal(body.error.details[0].path, 'sections.media')
  })

  it('is one at a time', async () => {
    const { id } = await world.backUp()
    const answers = await Promise.all([world.restore(id), world.restore(id), world.restore(id)])
    const statuses = answers.map(({ status }) => status).sort()
    assert.ok(statuses.includes(200))
    assert.ok(statuses.every((status) => status === 200 || status === 409))
    const pending = await world.admin.post('/api/admin/backups', { async: true })
    const beside = await world.restore(id)
    assert.ok([200, 409].includes(beside.status))
    await until(async () => {
      const { body } = await world.admin.get(`/api/admin/backups/${pending.body.data.id}`)
      return body.data.status === 'completed'
    })
  })

  it('writes schema files that differ, and says that a restart is needed', async () => {
    const { id } = await world.backUp({ sections: { schemas: true, components: true } })
    const path = join(world.workingDirectory, 'schemas/author.json')
    const original = readFileSync(path, 'utf8')
    writeFileSync(
      path,
      JSON.stringify({
        ...schemas['author.json'],
        info: { ...schemas['author.json'].info, displayName: 'Other' },
      }),
    )
    const dry = await world.restore(id, { dryRun: true })
    assert.deepEqual(dry.body.data.changes.schemas.changed, ['author.json'])
    assert.equal(dry.body.data.restartRequired, true)
    assert.notEqual(readFileSync(path, 'utf8'), original)
    const { body } = await world.restore(id)
    assert.deepEqual(body.data.schemaFilesWritten, ['schemas/author.json'])
    assert.equal(body.data.restartRequired, true)
    assert.equal(readFileSync(path, 'utf8'), original)
    assert.ok(existsSync(join(world.workingDirectory, 'schemas/components/shared.quote.json')))
    assert.equal((await world.restore(id)).body.data.restartRequired, false)
  })
})

describe('a backup of other content types', slow, () => {
  it('is refused when something of it would be lost, with all that is in the way', async () => {
    const source = await startBackupWorld()
    await fill(source)
    const archive = await source.download((await source.backUp()).id)
    await source.stop()
    const { isbn: _, ...attributes } = schemas['book.json'].attributes
    const { 'settings.json': __, ...others } = schemas
    const target = await startBackupWorld({
      schemas: {
        ...others,
        'book.json': { ...schemas['book.json'], attributes: { ...attributes, price: { type: 'boolean' } } },
      },
    })
    try {
      const id = await target.take(archive)
      const dry = await target.restore(id, { dryRun: true, sections: { content: true, media: true } })
      assert.equal(dry.body.data.success, false)
      const paths = ({ path }: { path: string }) => path
      const expected = ['book.isbn', 'book.price', 'settings']
      assert.deepEqual(dry.body.data.problems.map(paths).sort(), expected)
      const { status, body } = await target.restore(id, { sections: { content: true, media: true } })
      assert.equal(status, 409)
      assert.deepEqual(body.error.details.map(paths).sort(), expected)
      assert.deepEqual((await target.admin.get('/api/content/book')).body.data, [])
    } finally {
      await target.stop()
    }
  })
})

describe('a backup of a service with another address for files', slow, () => {
  it('gives the records the addresses that files have here', async () => {
    const source = await startBackupWorld()
    await fill(source)
    const archive = await source.download((await source.backUp()).id)
    await source.stop()
    const target = await startBackupWorld({ env: { STORAGE_BASE_URL: '/elsewhere' } })
    try {
      assert.equal((await target.restore(await target.take(archive))).status, 200)
      const [cover] = (await target.admin.get('/api/media?sort=id')).body.data
      for (const { url } of [cover, ...Object.values<{ url: string }>(cover.formats)]) {
        assert.match(url, /^\/elsewhere\//)
        assert.equal((await target.fetchFile(url)).response.status, 200)
      }
    } finally {
      await target.stop()
    }
  })
})
