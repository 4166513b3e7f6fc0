import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Client } from '../support/client.ts'
import { eachDatabase } from '../support/databases.ts'
import {
  allow,
  create,
  dataOf,
  type Entry,
  entriesIn,
  entryIn,
  pathOf,
  problemsIn,
  read,
  signUp,
  update,
  useContent,
} from './content-world.ts'

eachDatabase((database) => {
  const world = useContent(database.name)
  let user: Client
  let shown: Entry
  let draft: Entry
  let sample: Entry

  before(async () => {
    shown = await create(world.admin, 'person', { name: 'Shown' })
    draft = await create(world.admin, 'person', { name: 'Draft' })
    dataOf(await world.admin.put(pathOf('person', `${shown.id}/publish`)))
    const link = { label: 'both', person: draft.id }
    sample = await create(world.admin, 'sample', {
      ...{ title: 'of shown', owner: shown.id },
      ...{ links: [link], blocks: [{ __component: 'test.link', ...link }] },
    })
    user = await signUp(world, 'reader')
    await allow(world, 'authenticated', { person: { read: true, update: true }, sample: { read: true } })
  })

  describe('what must not be seen', () => {
    it('is not shown inside of what is populated either', async () => {
      const person = await read(user, 'person', shown.id, '?populate=samples')
      const [inverse] = entriesIn(person.samples)
      const twin = await create(world.admin, 'sample', { title: 'twin', twin: sample.id })
      const owning = entryIn((await read(user, 'sample', twin.id, '?populate=twin')).twin)
      for (const found of [inverse, owning]) {
        assert.equal(entriesIn(found?.links)[0]?.label, 'both')
        assert.equal(entriesIn(found?.links)[0]?.person, null)
        assert.equal(entriesIn(found?.blocks)[0]?.person, null)
      }
      const whole = await read(world.admin, 'person', shown.id, '?populate=samples')
      assert.equal(entriesIn(entriesIn(whole.samples)[0]?.links)[0]?.person, draft.id)
    })

    it('is expanded as before inside of what is populated', async () => {
      const linked = await create(world.admin, 'sample', {
        ...{ title: 'more', links: [{ label: 'x', person: shown.id }] },
      })
      const twin = await create(world.admin, 'sample', { twin: linked.id })
      const found = await read(user, 'sample', twin.id, '?populate=twin.links.person')
      assert.equal(entryIn(entriesIn(entryIn(found.twin).links)[0]?.person).name, 'Shown')
    })

    it('is not told of by what is wrong with a query', async () => {
      for (const query of [
        'filters[tags][name]=x',
        'filters[tags][nope]=x',
        'filters[tags][name][$nope]=x',
        'filters[tags][samples][nope]=x',
        'populate=tags',
        'populate=tags.samples',
        'populate=tags.nope',
        'filters[tags][name]=x&nope=1',
      ]) {
        assert.deepEqual(problemsIn(await user.get(`${pathOf('sample')}?${query}`), 403, 'FORBIDDEN'), [])
        const one = await user.get(`${pathOf('sample', sample.id)}?${query}`)
        assert.notEqual(one.status, 200, query)
        const counted = await user.get(`${pathOf('sample', 'aggregate')}?function=count&${query}`)
        if (query.startsWith('filters')) assert.equal(counted.status, 403, query)
      }
      const own = await user.get(`${pathOf('sample')}?filters[owner][nope]=x`)
      assert.deepEqual(problemsIn(own), ['filters.owner.nope unknown'])
    })

    it('does not stand in the way of links beside it', async () => {
      const other = await create(world.admin, 'person', { name: 'Other', friends: [draft.id] })
      dataOf(await world.admin.put(pathOf('person', `${other.id}/publish`)))
      const linked = dataOf(await user.post(pathOf('person', `${other.id}/link/friends`), { id: shown.id }))
      assert.deepEqual(linked.friends, [shown.id])
      assert.deepEqual((await read(world.admin, 'person', other.id)).friends, [draft.id, shown.id])
      dataOf(await user.delete(pathOf('person', `${other.id}/unlink/friends`), { id: shown.id }))
      assert.deepEqual((await read(world.admin, 'person', other.id)).friends, [draft.id])
      const hidden = await user.post(pathOf('person', `${shown.id}/link/friends`), { id: draft.id })
      const missing = await user.post(pathOf('person', `${shown.id}/link/friends`), { id: 9999 })
      assert.deepEqual(problemsIn(hidden), problemsIn(missing))
      await update(world.admin, 'person', other.id, { friends: [] })
    })
  })
})
