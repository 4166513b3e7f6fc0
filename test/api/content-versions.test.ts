import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eachDatabase } from '../support/databases.ts'
import { create, dataOf, pathOf, problemsIn, update, useContent } from './content-world.ts'

eachDatabase((database) => {
  const world = useContent(database.name)
  const etagOf = async (path: string) => {
    const etag = (await world.admin.get(path)).headers.get('etag')
    assert.match(etag ?? '', /^"[^"]+"$/, 'a strong one')
    return etag as string
  }

  describe('the ETag of an entry', () => {
    it('changes with every change, and with nothing else', async () => {
      const { id } = await create(world.admin, 'person', { name: 'Ada' })
      const path = pathOf('person', id)
      const seen = [await etagOf(path)]
      assert.equal(await etagOf(path), seen[0])
      for (const change of [
        () => world.admin.put(path, { age: 1 }),
        () => world.admin.put(path, { age: 2 }),
        () => world.admin.put(`${path}/publish`),
        () => world.admin.put(`${path}/unpublish`),
        () => world.admin.post(`${path}/link/friends`, { id }),
      ]) {
        dataOf(await change())
        seen.push(await etagOf(path))
      }
      assert.equal(new Set(seen).size, seen.length)
    })

    it('keeps a writer from undoing what he has not seen', async () => {
      const { id } = await create(world.admin, 'sample', { title: 'first' })
      const path = pathOf('sample', id)
      const old = await etagOf(path)
      await update(world.admin, 'sample', id, { title: 'second' })
      const stale = { headers: { 'if-match': old } }
      problemsIn(await world.admin.put(path, { title: 'third' }, stale), 412, 'PRECONDITION_FAILED')
      problemsIn(await world.admin.delete(path, undefined, stale), 412, 'PRECONDITION_FAILED')
      for (const wrong of ['"x"', 'x', '""', 'W/"x"', '"x", "y"']) {
        const headers = { 'if-match': wrong }
        problemsIn(await world.admin.put(path, { title: 'third' }, { headers }), 412, 'PRECONDITION_FAILED')
      }
      const fresh = { headers: { 'if-match': `"x", ${await etagOf(path)}` } }
      assert.equal(dataOf(await world.admin.put(path, { title: 'third' }, fresh)).title, 'third')
      assert.equal(
        dataOf(await world.admin.put(path, { title: 'any' }, { headers: { 'if-match': '*' } })).title,
        'any',
      )
      const last = { headers: { 'if-match': await etagOf(path) } }
      assert.equal(dataOf(await world.admin.delete(path, undefined, last)).title, 'any')
    })

    it('is told by every write, so that the next one needs no read', async () => {
      const made = await world.admin.post('/api/content/person', { name: 'Grace' })
      const { id } = made.body.data
      const path = pathOf('person', id)
      let etag = made.headers.get('etag') ?? ''
      for (const change of [
        (options: object) => world.admin.put(path, { age: 1 }, options),
        (options: object) => world.admin.put(`${path}/publish`, {}, options),
        (options: object) => world.admin.put(`${path}/unpublish`, {}, options),
        (options: object) => world.admin.post(`${path}/link/friends`, { id }, options),
      ]) {
        const answer = await change({ headers: { 'if-match': etag } })
        dataOf(answer)
        assert.notEqual(answer.headers.get('etag'), etag)
        etag = answer.headers.get('etag') ?? ''
        assert.match(etag, /^"[^"]+"$/)
      }
    })

    it('counts when a proxy has weakened it', async () => {
      const { id } = await create(world.admin, 'sample', { title: 'weak' })
      const path = pathOf('sample', id)
      const weak = { headers: { 'if-match': `W/${await etagOf(path)}` } }
      assert.equal(dataOf(await world.admin.put(path, { title: 'written' }, weak)).title, 'written')
      problemsIn(await world.admin.put(path, { title: 'again' }, weak), 412, 'PRECONDITION_FAILED')
    })

    it('is the same whatever part of the entry was read, as far as writing goes', async () => {
      const { id } = await create(world.admin, 'sample', { title: 'parts' })
      const path = pathOf('sample', id)
      for (const query of ['?fields=title', '?populate=owner', '']) {
        const headers = { 'if-match': await etagOf(path + query) }
        dataOf(await world.admin.put(path, { count: 1 }, { headers }))
      }
    })

    it('lets one of many writers through', async () => {
      const { id } = await create(world.admin, 'sample', { title: 'race' })
      const path = pathOf('sample', id)
      const headers = { 'if-match': await etagOf(path) }
      const answers = await Promise.all(
        [1, 2, 3, 4, 5].map((count) => world.admin.put(path, { count }, { headers })),
      )
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 412, 412, 412, 412])
    })

    it('works for single types', async () => {
      const home = pathOf('home')
      await world.admin.put(home, { headline: 'one' })
      const headers = { 'if-match': await etagOf(home) }
      dataOf(await world.admin.put(home, { headline: 'two' }, { headers }))
      problemsIn(await world.admin.put(home, { headline: 'three' }, { headers }), 412, 'PRECONDITION_FAILED')
      problemsIn(await world.admin.delete(home, undefined, { headers }), 412, 'PRECONDITION_FAILED')
    })
  })

  describe('If-None-Match', () => {
    it('spares an answer that is known', async () => {
      const { id } = await create(world.admin, 'sample', { title: 'cached' })
      for (const path of [pathOf('sample', id), pathOf('sample'), `${pathOf('sample')}?limit=1&cursor=`]) {
        const etag = (await world.admin.get(path)).headers.get('etag') ?? ''
        const known = await world.admin.get(path, { headers: { 'if-none-match': etag } })
        assert.deepEqual([known.status, known.body], [304, ''])
        assert.equal((await world.admin.get(path, { headers: { 'if-none-match': '"other"' } })).status, 200)
        await update(world.admin, 'sample', id, { title: `changed ${path}` })
        const changed = await world.admin.get(path.replace('limit=1&', ''), {
          headers: { 'if-none-match': etag },
        })
        assert.equal(changed.status, 200)
      }
    })

    it('tells apart what is shown of an entry', async () => {
      const owner = await create(world.admin, 'person', { name: 'before' })
      const { id } = await create(world.admin, 'sample', { owner: owner.id })
      const path = `${pathOf('sample', id)}?populate=owner`
      const headers = { 'if-none-match': await etagOf(path) }
      assert.equal((await world.admin.get(path, { headers })).status, 304)
      await update(world.admin, 'person', owner.id, { name: 'after' })
      assert.equal((await world.admin.get(path, { headers })).status, 200)
    })
  })
})
